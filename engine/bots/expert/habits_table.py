"""How often `cautious` plays the card of a row rather than that of a column, out of 100 times it holds both.

Written by `python -m tools.tournament.habits`. By edition, by the smallest table that plays so, and by whether the
seat is insane. Columns stand in the order of the rows; a dot is where there is nothing to choose, or was too seldom.
"""

from typing import Final

TABLES: Final = {
    ("standard", 2, False): """
spy          .  87  95 100  90  95  95  97 100 100
guard       13   .  90  90  94  96  97  99  99 100
priest       5  10   .  81   3  77  89  96 100 100
baron        0  10  19   .  67  83  85  96  98 100
handmaid    10   6  97  33   .  85  99  98  99 100
prince       5   4  23  17  15   .  77  90   . 100
chancellor   5   3  11  15   1  23   .  96  95 100
king         3   1   4   4   2  10   4   .   . 100
countess     0   1   0   2   1   .   5   .   . 100
princess     0   0   0   0   0   0   0   0   0   .
""",
    ("standard", 3, False): """
spy          .  96  98 100  93  95  98  97 100 100
guard        4   .  96  99  78  85  91  97 100 100
priest       2   4   .  90  32  63  81  90 100 100
baron        0   1  10   .  24  45  75  89  98 100
handmaid     7  22  68  76   .  72  85  93  99 100
prince       5  15  37  55  28   .  61  95   . 100
chancellor   2   9  19  25  15  39   .  96  97 100
king         3   3  10  11   7   5   4   .   . 100
countess     0   0   0   2   1   .   3   .   . 100
princess     0   0   0   0   0   0   0   0   0   .
""",
    ("classic", 2, False): """
guard      .  89  88  91  93  97  99 100
priest    11   .  85   6  71  94  99 100
baron     12  15   .  56  80  94  97 100
handmaid   9  94  44   .  86  98 100 100
prince     7  29  20  14   .  87   . 100
king       3   6   6   2  13   .   . 100
countess   1   1   3   0   .   .   . 100
princess   0   0   0   0   0   0   0   .
""",
    ("classic", 3, False): """
guard      .  97  98  82  94  97  99 100
priest     3   .  95  26  79  90  99 100
baron      2   5   .  15  66  88  98 100
handmaid  18  74  85   .  81  94  99 100
prince     6  21  34  19   .  92   . 100
king       3  10  12   6   8   .   . 100
countess   1   1   2   1   .   .   . 100
princess   0   0   0   0   0   0   0   .
""",
    ("premium", 2, False): """
guard      .  88  88  91  93  97  99 100
priest    12   .  84   6  72  93  99 100
baron     12  16   .  56  80  94  96 100
handmaid   9  94  44   .  86  98 100 100
prince     7  28  20  14   .  87   . 100
king       3   7   6   2  13   .   . 100
countess   1   1   4   0   .   .   . 100
princess   0   0   0   0   0   0   0   .
""",
    ("premium", 3, False): """
guard      .  97  98  82  94  97  99 100
priest     3   .  95  26  79  89  99 100
baron      2   5   .  15  66  88  97 100
handmaid  18  74  85   .  81  94  99 100
prince     6  21  34  19   .  92   . 100
king       3  11  12   6   8   .   . 100
countess   1   1   3   1   .   .   . 100
princess   0   0   0   0   0   0   0   .
""",
    ("premium", 5, False): """
assassin        .   1   3  11   2  92  19  29  25  45  85  71  16  93  68  95  30
jester         99   . 100  99  97  95  99  97 100  99 100  97  32 100  97  98  88
guard          97   0   .  41  14  91  42  48  44  64  92  89  20  97  81  96  27
priest         89   1  59   .   3  87  60  33  39  64  96  80  12  99  87  95  32
cardinal       98   3  86  97   .  90  95  66  68  81  96  80  13  95  89  95  33
baron           8   5   9  13  10   .  16  24  21  48  78  86  23  99  95  96  36
baroness       81   1  58  40   5  84   .  29  33  64  96  80  14  99  88  94  32
handmaid       71   3  52  67  34  76  71   .  55  73  89  83  15  96  88  95  31
sycophant      75   0  56  61  32  79  67  45   .  77  97  86  11  99  89  95  33
prince         55   1  36  36  19  52  36  27  23   .  41  86  24   .  92 100  18
count          15   0   8   4   4  22   4  11   3  59   .  87  18  98  92  95  22
king           29   3  11  20  20  14  20  17  14  14  13   .   5   .  90  95   4
constable      84  68  80  88  87  77  86  85  89  76  82  95   .  99  98 100  76
countess        7   0   3   1   5   1   1   4   1   .   2   .   1   .  91  95   3
dowager_queen  32   3  19  13  11   5  12  12  11   8   8  10   2   9   . 100   7
princess        5   2   4   5   5   4   6   5   5   0   5   5   0   5   0   .   2
bishop         70  12  73  68  67  64  68  69  67  82  78  96  24  97  93  98   .
""",
    ("lovecraft", 2, False): """
mi_go_braincase            .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
investigators              .   . 100  88 100  91 100  81 100  96 100  98 100 100 100 100 100
deep_ones                  .   0   .   1  87  82  92   2  85   9  99  85  98   4 100 100 100
cats_of_ulthar             .  12  99   . 100  98 100   0 100  75 100  99 100 100 100 100 100
golden_mead                .   0  13   0   .  13  23   0   7   5  38   0  75   2 100 100 100
great_race_of_yith         .   9  18   2  87   .  96  46  97  83  95  97  98  96  98 100 100
hound_of_tindalos          .   0   8   0  77   4   .   4  81  16  96  85  93  70  98 100 100
elder_sign                 .  19  98 100 100  54  96   . 100  72  98 100 100 100 100 100 100
liber_ivonis               .   0  15   0  93   3  19   0   .  15  19   0  87   0 100 100 100
professor_henry_armitage   .   4  91  25  95  17  84  28  85   .  94  86  96   .   . 100 100
mi_go                      .   0   1   0  62   5   4   2  81   6   .   0  85   .   . 100 100
randolph_carter            .   2  15   1 100   3  15   0 100  14 100   . 100   .   . 100 100
nyarlathotep               .   0   2   0  25   2   7   0  13   4  15   0   .   .   . 100 100
silver_key                 .   0  96   0  98   4  30   0 100   .   .   .   .   . 100   .   .
shining_trapezohedron      .   0   0   0   0   2   2   0   0   .   .   .   .   0   .   .   .
necronomicon               .   0   0   0   0   0   0   0   0   0   0   0   0   .   .   .  46
cthulhu                    .   0   0   0   0   0   0   0   0   0   0   0   0   .   .  54   .
""",
    ("lovecraft", 2, True): """
mi_go_braincase            .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
investigators              .   .   .   .  85  97   .  92 100  91  95   .  98   . 100 100  87
deep_ones                  .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
cats_of_ulthar             .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   . 100
golden_mead                .  15   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
great_race_of_yith         .   3   .   .   .   .   .   .   .   .   .   .   .   .  86 100  96
hound_of_tindalos          .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   . 100
elder_sign                 .   8   .   .   .   .   .   .   .   .   .   .  74   .   .   .   .
liber_ivonis               .   0   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
professor_henry_armitage   .   9   .   .   .   .   .   .   .   .   .   .   .   .   . 100  93
mi_go                      .   5   .   .   .   .   .   .   .   .   .   .   .   .   .   . 100
randolph_carter            .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
nyarlathotep               .   2   .   .   .   .   .  26   .   .   .   .   .   .   0 100   .
silver_key                 .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
shining_trapezohedron      .   0   .   .   .  14   .   .   .   .   .   . 100   .   . 100   .
necronomicon               .   0   .   .   .   0   .   .   .   0   .   .   0   .   0   .  35
cthulhu                    .  13   .   0   .   4   0   .   .   7   0   .   .   .   .  65   .
""",
    ("lovecraft", 3, False): """
mi_go_braincase            .   0   0   0   0   0   0   0   .   0   .   0   0   .   .   .  54
investigators            100   . 100  95 100  99 100  22 100  96  99  99 100 100 100 100 100
deep_ones                100   0   .   5  89  87  99   7  71   4  76  15  98  18 100 100 100
cats_of_ulthar           100   5  95   .  99  98  99   7 100  82  97  95  99  99 100 100 100
golden_mead              100   0  11   1   .  17  91   2  20   3  58   2  68  10 100 100 100
great_race_of_yith       100   1  13   2  83   .  98   5  95  35  94  92  97  98 100 100 100
hound_of_tindalos        100   0   1   1   9   2   .   1  26   2  45  13  65  14  98 100 100
elder_sign               100  78  93  93  98  95  99   . 100  94  98  97  98 100 100 100 100
liber_ivonis               .   0  29   0  80   5  74   0   .   2  68   4  86   7  99 100 100
professor_henry_armitage 100   4  96  18  97  65  98   6  98   .  99  94  98   .   . 100 100
mi_go                      .   1  24   3  42   6  55   2  32   1   .   4  93   .   . 100 100
randolph_carter          100   1  85   5  98   8  87   3  96   6  96   . 100   .   . 100 100
nyarlathotep             100   0   2   1  32   3  35   2  14   2   7   0   .   .   . 100 100
silver_key                 .   0  82   1  90   2  86   0  93   .   .   .   .   .  99   .   .
shining_trapezohedron      .   0   0   0   0   0   2   0   1   .   .   .   .   1   .   .   .
necronomicon               .   0   0   0   0   0   0   0   0   0   0   0   0   .   .   .  48
cthulhu                   46   0   0   0   0   0   0   0   0   0   0   0   0   .   .  52   .
""",
    ("lovecraft", 3, True): """
mi_go_braincase            .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .   .
investigators              .   .  74  96  34  99  73  89  98  83  30  99  75 100 100 100  90
deep_ones                  .  26   .  45  40  95  34  50   .  32  38  48  38  67 100 100  89
cats_of_ulthar             .   4  55   .   8  89  64  62  88  46   9  62  54   .  97 100  90
golden_mead                .  66  60  92   .  91  68  84 100  83  66  82  90  96  97 100  97
great_race_of_yith         .   1   5  11   9   .  31  30  66  43  16  73  42  84  98 100  91
hound_of_tindalos          .  27  66  36  32  69   .  55  68  43  35  45  45  90 100 100  90
elder_sign                 .  11  50  38  16  70  45   .  79  54  11  89  36   .  99 100  90
liber_ivonis               .   2   .  12   0  34  32  21   .  20   2  18  18  62 100 100  89
professor_henry_armitage   .  17  68  54  17  57  57  46  80   .   8  90  40   .   6 100  92
mi_go                      .  70  62  91  34  84  65  89  98  92   .  94  97   .  36 100  95
randolph_carter            .   1  52  38  18  27  55  11  82  10   6   .   9   .   3 100  96
nyarlathotep               .  25  62  46  10  58  55  64  82  60   3  91   .   .   2 100  91
silver_key                 .   0  33   .   4  16  10   .  38   .   .   .   .   .   .   .   .
shining_trapezohedron      .   0   0   3   3   2   0   1   0  94  64  97  98   .   . 100  90
necronomicon               .   0   0   0   0   0   0   0   0   0   0   0   0   .   0   .  30
cthulhu                    .  10  11  10   3   9  10  10  11   8   5   4   9   .  10  70   .
""",
}
