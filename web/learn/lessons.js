// What is played in each lesson: a sandbox whose positions leave the bot one legal action whenever it is to act, so that all goes
// as told here. A step is a question of the game, known by its round and the learner's hand; `right` holds what an action must
// have to be sent. The words are in `en.js` and `de.js`. Pure data.

const CREATOR = { kind: "creator" }, BOT = { kind: "bot", bot: "random" };
const table = (edition, seats, ...positions) => ({
  edition, visibility: "unlisted", seats: [CREATOR, ...Array.from({ length: seats - 1 }, () => BOT)], sandbox: { positions },
});

export const LESSONS = {
  first: {
    setup: table("classic", 2,
      // The bot draws the Countess beside the King.
      { hands: [["guard", "priest"], ["king"]], set_aside: "guard", shown_aside: ["guard", "handmaid", "prince"], tokens: [3, 3],
        deck: ["countess", "baron", "guard", "princess", "guard", "handmaid", "baron", "prince", "priest"] },
      // It has two Princes, and can choose itself alone.
      { hands: [["handmaid", "princess"], ["prince"]], set_aside: "countess", shown_aside: ["guard", "priest", "king"],
        discards: [["guard", "priest", "guard"], ["guard", "handmaid", "baron"]], deck: ["prince", "baron", "guard"], turn: 0 },
      { hands: [["guard", "baron"], ["prince"]], set_aside: "prince", shown_aside: ["princess", "king", "countess"],
        discards: [["guard", "priest", "guard", "handmaid"], ["guard", "priest", "handmaid", "baron", "guard"]], deck: [], turn: 0 }),
    steps: [
      { round: 1, hand: ["guard", "priest"], right: { card: "priest" } },
      { round: 1, hand: ["baron", "guard"], right: { card: "guard", guess: "king" } },
      { round: 2, hand: ["handmaid", "princess"], right: { card: "handmaid" } },
      { round: 2, hand: ["guard", "princess"], right: { card: "guard" } },
      { round: 3, hand: ["baron", "guard"], right: { card: "guard", guess: "prince" }, look: "unseen" },
    ],
  },
  standard: {
    setup: table("standard", 2,
      { hands: [["handmaid", "chancellor"], ["handmaid"]], set_aside: "spy", shown_aside: ["guard", "guard", "priest"], tokens: [4, 4],
        discards: [["guard", "priest", "countess", "guard", "baron", "prince"], ["guard", "baron", "prince", "king", "guard", "chancellor"]],
        deck: ["princess", "spy"], turn: 0 }),
    steps: [
      { round: 1, hand: ["chancellor", "handmaid"], right: { card: "chancellor" } },
      { round: 1, hand: ["handmaid", "princess", "spy"], right: { keep: "princess", bottom: ["handmaid", "spy"] } },
      { round: 1, hand: ["princess", "spy"], right: { card: "spy" } },
    ],
  },
  premium: {
    setup: table("premium", 5,
      { hands: [["baroness", "constable"], ["count"]], out: [2, 3, 4], tokens: [3, 2, 1, 0, 2], turn: 0, set_aside: "guard",
        discards: [["guard"], ["guard"], ["baron", "priest"], ["guard", "prince"], ["handmaid", "king"]],
        deck: ["count", "bishop", "guard", "princess", "handmaid", "cardinal"] }),
    steps: [
      { round: 1, hand: ["baroness", "constable"], right: { card: "baroness" } },
      { round: 1, hand: ["bishop", "constable"], right: { card: "bishop", guess_value: 5 } },
    ],
  },
  lovecraft: {
    // Protected, the learner cannot be chosen by the bot's Investigators. The Cats are what the sanity check turns up.
    setup: table("lovecraft", 2,
      { hands: [["liber_ivonis", "investigators"], ["investigators"]], set_aside: "necronomicon", tokens: [2, 1], insane_tokens: [2, 0],
        shown_aside: ["great_race_of_yith", "silver_key", "professor_henry_armitage", "elder_sign", "investigators"], turn: 0,
        deck: ["investigators", "cats_of_ulthar", "hound_of_tindalos", "elder_sign", "randolph_carter", "great_race_of_yith"] }),
    steps: [
      { round: 1, hand: ["investigators", "liber_ivonis"], right: { card: "liber_ivonis" } },
      { round: 1, hand: ["hound_of_tindalos", "investigators"], right: { card: "hound_of_tindalos", face: "insane" } },
    ],
  },
};

// Whether an action is what a step asks for.
export const fits = (right, action) => Object.entries(right).every(([name, value]) => String(action[name]) === String(value));
