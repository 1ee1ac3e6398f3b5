// What the coach says. The last sentence of a step is what to do; `no` answers a wrong choice, by its kind.
export default {
  first: {
    title: "Your first game",
    steps: [
      { says: [
        "Your letter is to reach the Princess before that of the others.",
        "In your turn you draw a card and play one of your two, which then does what it says.",
        "You win a round if you are the last one in it, or hold the highest card when the deck is empty.",
        "Each round pays a token. Six tokens win this game, and you both have three.",
        "You may leave at any time, and go on later.",
        "The Guard knocks out whoever holds the card you guess. Look first: play the Priest.",
      ], no: { card: "You would guess in the dark. The Priest shows you the other hand: play him first." } },
      { says: [
        "You saw the King.",
        "The Countess must be played when she is in a hand with the King or a Prince. So your opponent had to play her, and still has the King.",
        "Play the Guard, and guess the King.",
      ], no: {
        card: "The Baron compares both hands, and the lower card is out. You would be left with the Guard, a 1.",
        guess: "You saw the other hand. Which card was it?",
      } },
      { says: [
        "A hit: your opponent was out, and you gained a token.",
        "The next round is nearly over. Three cards are left in the deck.",
        "You hold the Princess, the highest card. Whoever plays or discards her is out, and a Prince makes you discard your hand.",
        "The Handmaid protects you: until your next turn nobody can choose you. Play her.",
      ], no: { card: "To play the Princess puts you out at once. Play the Handmaid." } },
      { says: [
        "Your opponent had to play a Prince, and could not choose you.",
        "The deck is empty. When you have played, the highest card wins.",
        "Keep the Princess: play the Guard, and guess what you like.",
      ], no: { card: "To play the Princess puts you out at once. Play the Guard." } },
      { says: [
        "You won this round, too. One more token wins the game.",
        "Now count. All cards that were played lie open, and so do three cards aside.",
        "“Unseen” lists the cards you have not seen. Two are left, and one of them is in your opponent’s hand.",
        "Play the Guard, and guess it.",
      ], no: {
        card: "You would compare the Guard, a 1, with a higher card, and be out.",
        guess: "Every copy of that card lies open. Look once more at what is unseen.",
      } },
    ],
    end: ["You win. You looked and guessed, you protected yourself, and you counted.", "That is the whole game. Point at a card, or tap it, and it says what it does."],
  },
  standard: {
    title: "Chancellor and Spy",
    steps: [
      { says: [
        "Two characters are special here: the Chancellor and the Spy.",
        "The Chancellor draws two cards. You keep one of the three, and put the others under the deck.",
        "Play the Chancellor.",
      ], no: { card: "First see what the Chancellor brings: play him." } },
      { says: [
        "The Princess is the highest card, and the round is nearly over: you keep her.",
        "The deck is empty. Your opponent draws the card that you put back first, and you draw the other one.",
        "Keep the Princess, and put back the Handmaid first: she harms nobody. The Spy then comes to you.",
      ], no: {
        keep: "Only the Princess is sure to be the highest card. Keep her.",
        bottom: "Then your opponent would draw the Spy. Put back the Handmaid first.",
      } },
      { says: [
        "The Spy does nothing at once.",
        "When the round ends, you gain a token of its own if nobody else who is still in has played a Spy.",
        "Play the Spy. The deck is empty, and you hold the highest card.",
      ], no: { card: "To play the Princess puts you out at once. Play the Spy." } },
    ],
    end: ["Two tokens in one round, one of them for the Spy: you win the game."],
  },
  premium: {
    title: "The cards for five to eight",
    steps: [
      { says: [
        "From five players on, nine more characters are in the deck.",
        "Guards and Bishops guess a number here, which several characters may have.",
        "A Constable in front of you pays a token if you are knocked out. The Baroness shows you one hand, or two.",
        "Three players are out already. Play the Baroness.",
      ], no: { card: "First look at the other hand: play the Baroness." } },
      { says: [
        "You saw a Count, whose number is 5. Another one was played: each Count in front adds 1 when hands are compared at the end.",
        "A Bishop who guesses right gains a token at once. The seat that was hit stays in, and may draw a new card.",
        "You need one token. Play the Bishop, and guess the 5.",
      ], no: {
        card: "The Bishop can win the game now. Play him.",
        number: "You saw a Count. Which number does he have?",
      } },
    ],
    end: ["The Bishop brought your last token: you win.", "The other new characters say what they do when you point at them, or tap them."],
  },
  lovecraft: {
    title: "Sane and insane",
    steps: [
      { says: [
        "Two sane or three insane tokens win here. You have two insane ones.",
        "Some cards have two faces. While no insanity card lies in front of you, you are sane, and play the sane face.",
        "Liber Ivonis is an insanity card. Its sane face protects you until your next turn.",
        "Play Liber Ivonis. Afterwards you are insane.",
      ], no: { card: "You would guess in the dark. Play Liber Ivonis." } },
      { says: [
        "Your turn began with a sanity check: for each insanity card in front of you, one card of the deck is turned up.",
        "Another insanity card, or the Necronomicon, would have put you out. The Cats did no harm.",
        "Insane, you may choose the face. Whoever is sane is knocked out by the insane Hound of Tindalos.",
        "Play the Hound of Tindalos, insane.",
      ], no: {
        card: "A guess may miss. The insane Hound does not.",
        face: "Sane, the Hound compares numbers, and yours would be a 1.",
      } },
    ],
    end: ["Whoever wins while insane gains an insane token. It is your third: you win."],
  },
};
