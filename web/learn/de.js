// Was der Coach sagt, in derselben Ordnung wie in `en.js`.
export default {
  first: {
    title: "Dein erstes Spiel",
    steps: [
      { says: [
        "Dein Brief soll vor denen der anderen bei der Prinzessin sein.",
        "In deinem Zug ziehst du eine Karte und spielst eine von deinen zweien, die dann tut, was sie sagt.",
        "Du gewinnst eine Runde, wenn sonst niemand mehr dabei ist oder du die höchste Karte hast, sobald der Stapel leer ist.",
        "Jede Runde bringt einen Gunststein. Sechs davon gewinnen dieses Spiel, und ihr habt beide drei.",
        "Du kannst jederzeit gehen und später weiterspielen.",
        "Die Wächterin wirft hinaus, wer die Karte hat, auf die du tippst. Sieh erst nach: Spiele den Priester.",
      ], no: { card: "Du würdest im Dunkeln tippen. Der Priester zeigt dir die andere Hand: Spiele ihn zuerst." } },
      { says: [
        "Du hast den König gesehen.",
        "Die Gräfin muss gespielt werden, wenn sie mit dem König oder einem Prinzen auf einer Hand ist. Darum wurde sie eben gespielt, und der König ist noch da.",
        "Spiele die Wächterin und tippe auf den König.",
      ], no: {
        card: "Der Baron vergleicht beide Hände, und die niedrigere Karte scheidet aus. Dir bliebe die Wächterin, eine 1.",
        guess: "Du hast die andere Hand gesehen. Welche Karte war es?",
      } },
      { says: [
        "Getroffen: Die andere Seite schied aus, und du bekamst einen Gunststein.",
        "Die nächste Runde ist fast vorbei. Drei Karten sind noch im Stapel.",
        "Du hast die Prinzessin, die höchste Karte. Wer sie spielt oder ablegt, scheidet aus, und ein Prinz lässt dich deine Hand ablegen.",
        "Die Zofe schützt dich: Bis zu deinem nächsten Zug kann dich niemand wählen. Spiele sie.",
      ], no: { card: "Wer die Prinzessin spielt, scheidet sofort aus. Spiele die Zofe." } },
      { says: [
        "Ein Prinz musste gespielt werden, und dich konnte er nicht treffen.",
        "Der Stapel ist leer. Wenn du gespielt hast, gewinnt die höchste Karte.",
        "Behalte die Prinzessin: Spiele die Wächterin und tippe, worauf du magst.",
      ], no: { card: "Wer die Prinzessin spielt, scheidet sofort aus. Spiele die Wächterin." } },
      { says: [
        "Auch diese Runde war deine. Noch ein Gunststein gewinnt das Spiel.",
        "Jetzt zähle. Alle gespielten Karten liegen offen, und drei beiseitegelegte auch.",
        "„Ungesehen“ nennt die Karten, die du nicht gesehen hast. Zwei sind übrig, und eine davon ist auf der anderen Hand.",
        "Spiele die Wächterin und tippe auf sie.",
      ], no: {
        card: "Du würdest die Wächterin, eine 1, mit einer höheren Karte vergleichen und ausscheiden.",
        guess: "Von dieser Karte liegt jede offen. Sieh noch einmal unter „Ungesehen“ nach.",
      } },
    ],
    end: ["Du gewinnst. Du hast nachgesehen und getippt, dich geschützt und gezählt.", "Das ist das ganze Spiel. Zeige oder tippe auf eine Karte, und sie sagt, was sie tut."],
  },
  standard: {
    title: "Kanzler und Spionin",
    steps: [
      { says: [
        "Zwei Personen sind hier besonders: der Kanzler und die Spionin.",
        "Der Kanzler zieht zwei Karten. Du behältst eine der drei und legst die anderen unter den Stapel.",
        "Spiele den Kanzler.",
      ], no: { card: "Sieh erst, was der Kanzler bringt: Spiele ihn." } },
      { says: [
        "Die Prinzessin ist die höchste Karte, und die Runde ist fast vorbei: Du behältst sie.",
        "Der Stapel ist leer. Die andere Seite zieht die Karte, die du zuerst zurücklegst, und du ziehst die zweite.",
        "Behalte die Prinzessin und lege zuerst die Zofe zurück: Sie schadet niemandem. Die Spionin kommt dann zu dir.",
      ], no: {
        keep: "Nur die Prinzessin ist sicher die höchste Karte. Behalte sie.",
        bottom: "Dann zöge die andere Seite die Spionin. Lege zuerst die Zofe zurück.",
      } },
      { says: [
        "Die Spionin tut nichts sofort.",
        "Am Ende der Runde bekommst du einen eigenen Gunststein, wenn sonst niemand, der noch dabei ist, eine Spionin gespielt hat.",
        "Spiele die Spionin. Der Stapel ist leer, und du hast die höchste Karte.",
      ], no: { card: "Wer die Prinzessin spielt, scheidet sofort aus. Spiele die Spionin." } },
    ],
    end: ["Zwei Gunststeine in einer Runde, einer davon für die Spionin: Du gewinnst das Spiel."],
  },
  premium: {
    title: "Die Karten für fünf bis acht",
    steps: [
      { says: [
        "Ab fünf Personen kommen neun weitere Figuren in den Stapel.",
        "Wächterinnen und Bischöfe tippen hier auf eine Zahl, die mehrere Figuren haben können.",
        "Ein Wachtmeister vor dir bringt einen Gunststein, wenn du ausscheidest. Die Baronin zeigt dir eine Hand oder zwei.",
        "Drei sind schon ausgeschieden. Spiele die Baronin.",
      ], no: { card: "Sieh dir erst die andere Hand an: Spiele die Baronin." } },
      { says: [
        "Du hast einen Grafen gesehen, seine Zahl ist die 5. Ein zweiter wurde gespielt: Jeder Graf vor einem zählt beim Vergleich am Ende 1 dazu.",
        "Ein Bischof, der richtig tippt, bringt sofort einen Gunststein. Wer getroffen ist, bleibt dabei und darf neu ziehen.",
        "Dir fehlt ein Gunststein. Spiele den Bischof und tippe auf die 5.",
      ], no: {
        card: "Der Bischof kann jetzt das Spiel gewinnen. Spiele ihn.",
        number: "Du hast einen Grafen gesehen. Welche Zahl hat er?",
      } },
    ],
    end: ["Der Bischof brachte den letzten Gunststein: Du gewinnst.", "Die anderen neuen Figuren sagen, was sie tun, wenn du auf sie zeigst oder tippst."],
  },
  lovecraft: {
    title: "Bei Verstand und wahnsinnig",
    steps: [
      { says: [
        "Hier gewinnen zwei Vernunft- oder drei Wahnsinnssteine. Du hast zwei Wahnsinnssteine.",
        "Manche Karten haben zwei Seiten. Solange keine Wahnsinnskarte vor dir liegt, bist du bei Verstand und spielst die erste.",
        "Liber Ivonis ist eine Wahnsinnskarte. Bei Verstand schützt es dich bis zu deinem nächsten Zug.",
        "Spiele Liber Ivonis. Danach bist du wahnsinnig.",
      ], no: { card: "Du würdest im Dunkeln tippen. Spiele Liber Ivonis." } },
      { says: [
        "Dein Zug begann mit einer Prüfung: Für jede Wahnsinnskarte vor dir wird eine Karte des Stapels aufgedeckt.",
        "Bei einer weiteren Wahnsinnskarte oder dem Necronomicon wärst du ausgeschieden. Die Katzen schadeten nicht.",
        "Wahnsinnig darfst du die Seite wählen. Der wahnsinnige Hund von Tindalos wirft hinaus, wer bei Verstand ist.",
        "Spiele den Hund von Tindalos wahnsinnig.",
      ], no: {
        card: "Ein Tipp kann danebengehen, der wahnsinnige Hund nicht.",
        face: "Bei Verstand vergleicht der Hund Zahlen, und deine wäre eine 1.",
      } },
    ],
    end: ["Wer wahnsinnig gewinnt, bekommt einen Wahnsinnsstein. Es ist dein dritter: Du gewinnst."],
  },
};
