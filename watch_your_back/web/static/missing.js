// Nothing to do on a page with nothing.
