"""The console command that starts and wires the parts; nothing the parts need belongs here."""
