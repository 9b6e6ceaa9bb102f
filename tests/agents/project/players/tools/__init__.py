TOOL = "tool"
