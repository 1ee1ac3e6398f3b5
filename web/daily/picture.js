// The picture of a try: what came of it, and each seat's tokens as seals. It names no card.
import { EMBLEM } from "../look/seal.js";

const SIZE = 1080, WAX = "#a3262b", INK = "#2a2431", FADED = "#6b5b58", PAPER = "#f7efdd", EDGE = "#c5b8a3";
const SERIF = '"Iowan Old Style", "Palatino Linotype", Palatino, Georgia, "DejaVu Serif", serif';

export function draw(canvas, [title, outcome, streak], tokens, most) {
  canvas.width = canvas.height = SIZE;
  const pen = canvas.getContext("2d");
  pen.fillStyle = PAPER;
  pen.fillRect(0, 0, SIZE, SIZE);
  pen.strokeStyle = EDGE;
  pen.lineWidth = 6;
  pen.strokeRect(48, 48, SIZE - 96, SIZE - 96);
  pen.textAlign = "center";
  write(pen, "Billet", 190, 96, INK, "600");
  const [name, ...rest] = title.split(": ");
  write(pen, name, 268, 44, FADED, "italic");
  write(pen, rest.join(": "), 340, 48, INK, "600");
  const [own, ...others] = tokens;
  [own, ...others.toSorted((one, other) => other - one)].forEach((count, row) => pips(pen, count, most, 450 + row * 96, row === 0));
  write(pen, outcome, 895, 64, WAX, "600");
  if (streak) write(pen, streak, 975, 44, FADED, "");
}

function write(pen, text, y, size, colour, style) {
  pen.fillStyle = colour;
  pen.font = `${style} ${size}px ${SERIF}`;
  pen.fillText(text, SIZE / 2, y, SIZE - 160);
}

// A row of seals for the tokens that a seat has, and of rings for those that it lacks; one's own are larger.
function pips(pen, count, most, y, own) {
  const radius = own ? 36 : 26, step = 96, first = SIZE / 2 - ((most - 1) * step) / 2;
  for (let at = 0; at < most; at += 1) {
    pen.beginPath();
    pen.arc(first + at * step, y, radius, 0, 2 * Math.PI);
    if (at < count) {
      pen.fillStyle = own ? WAX : FADED;
      pen.fill();
      pen.beginPath();
      pen.arc(first + at * step, y, radius * 0.62, 0, 2 * Math.PI);
      pen.strokeStyle = EMBLEM;
    } else {
      pen.strokeStyle = EDGE;
    }
    pen.lineWidth = 4;
    pen.stroke();
  }
}
