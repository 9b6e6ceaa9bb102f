// What the page knows of its match.

const data = JSON.parse(document.getElementById("data").textContent);
