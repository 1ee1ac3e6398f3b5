"""What a viewer can know of the hidden cards of a round: how likely each is where, and what is certain.

Everything comes from the round's redacted events. `layouts` follows where cards may lie, `told` asks the rules what an
effect tells of the hands it met, `counting` counts deals; `answer` puts them together.
"""

from engine.deduction.answer import Certain, Chances, Deduction, deduce

__all__ = ["Certain", "Chances", "Deduction", "deduce"]
