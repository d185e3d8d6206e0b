"""How axes pass through operations: one function per meaning."""
