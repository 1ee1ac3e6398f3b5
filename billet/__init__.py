"""The console command: starts the parts and wires them together."""
