// Without this file the browser's own menu prints.
const button = document.querySelector(".s-print");
button.hidden = false;
button.addEventListener("click", () => print());
