"""Who may see each field of an event that is not public, written apart from the engine."""


def none_of(value):
    return (None,) * len(value)


def own_item(value, viewer):
    return tuple(item if i == viewer else None for i, item in enumerate(value))


def for_seats(*names):
    return lambda event, field, viewer: (
        getattr(event, field) if viewer in [getattr(event, name) for name in names] else hide(getattr(event, field))
    )


def hide(value):
    return none_of(value) if isinstance(value, tuple) else None


SECRETS = {
    ("game_created", "sandbox_rounds"): lambda event, field, viewer: none_of(event.sandbox_rounds),
    ("game_created", "sandbox_positions"): lambda event, field, viewer: none_of(event.sandbox_positions),
    ("round_started", "hands"): lambda event, field, viewer: own_item(event.hands, viewer),
    ("round_started", "deck"): lambda event, field, viewer: none_of(event.deck),
    ("round_started", "set_aside"): lambda event, field, viewer: None,
    ("card_drawn", "card"): for_seats("seat"),
    ("hand_shown", "cards"): for_seats("seat", "to"),
    ("hands_compared", "cards"): for_seats("seat", "target"),
    ("hands_compared", "target_cards"): for_seats("seat", "target"),
    ("hands_traded", "cards"): for_seats("seat", "target"),
    ("hands_traded", "target_cards"): for_seats("seat", "target"),
    ("hand_taken", "cards"): for_seats("seat", "target"),
    ("cards_returned", "cards"): for_seats("seat"),
    ("hands_given", "hands"): lambda event, field, viewer: (
        event.hands if viewer == event.seat else own_item(event.hands, viewer)
    ),
}
