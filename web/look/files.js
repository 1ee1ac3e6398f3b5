// How a scoresheet begins: after empty lines and comments.
export const SHEET = /^(?:[^\S\n]*(?:#.*)?\n)*[^\S\n]*billet scoresheet/;

// Files in: dropped anywhere on the page, or a log or a scoresheet pasted where nothing is being typed. And a log out.
export function dropping(take) {
  document.addEventListener("dragover", (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault());
  document.addEventListener("drop", (event) => {
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    take(file);
  });
  document.addEventListener("paste", (event) => {
    if (event.composedPath()[0].matches?.("input, textarea")) return;
    const given = event.clipboardData?.files[0] ?? event.clipboardData?.getData("text/plain");
    if (given && (typeof given !== "string" || /^\s*\{/.test(given) || SHEET.test(given))) take(given);
  });
}

export function download(text, name, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
