// Files in: dropped anywhere on the page. And a log out.
export function dropping(take) {
  document.addEventListener("dragover", (event) => event.dataTransfer?.types.includes("Files") && event.preventDefault());
  document.addEventListener("drop", (event) => {
    const [file] = event.dataTransfer?.files ?? [];
    if (!file) return;
    event.preventDefault();
    take(file);
  });
}

export function download(text, name, type) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
