"""A replicated Redis that loses its primary again and again under play."""
