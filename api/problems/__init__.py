"""Problems: their kinds, their responses, and the pages that explain them."""
