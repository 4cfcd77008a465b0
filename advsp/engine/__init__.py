"""Games: measures times structures, best responses, linear programs, the double oracle."""
