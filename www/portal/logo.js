// A logo as SVG. The server draws none, so this browser does, and the form sends a PNG. In an <img> none of its scripts runs and
// nothing is loaded.
(() => {
  const WIDEST = 600;
  const HIGHEST = 300;

  /** Its own size, where it says one: `120`, `120px`, `30mm` by `10mm`. */
  const sizeOf = (svg) => {
    const [width, height] = ["width", "height"].map((name) => /^\s*(\d*\.?\d+(?:e[+-]?\d+)?)\s*([a-z]*)\s*$/i.exec(svg.getAttribute(name) ?? ""));
    const isOne = width && height && width[2] === height[2] && width[1] > 0 && height[1] > 0;
    return isOne ? [Number(width[1]), Number(height[1])] : undefined;
  };

  /** Without what would not be drawn, or would keep the canvas from being read. */
  const parsed = (text) => {
    const read = (kind) => new DOMParser().parseFromString(text, kind);
    const file = read("image/svg+xml").documentElement;
    const isWhole = file.localName === "svg" && file.namespaceURI && !file.getElementsByTagName("parsererror").length;
    // One that was part of a page, or leaves out its namespace.
    const svg = isWhole ? file : read("text/html").querySelector("svg");
    for (const part of svg.querySelectorAll("script, foreignObject")) part.remove();
    // A picture that is elsewhere is not loaded, and a browser draws the sign of a broken one.
    for (const part of svg.querySelectorAll("image, use, feImage")) {
      const to = part.getAttribute("href") ?? part.getAttribute("xlink:href") ?? "";
      if (!/^\s*(#|data:image\/)/i.test(to)) part.remove();
    }
    return svg;
  };

  const drawn = async (text) => {
    const svg = parsed(text);
    const box = (svg.getAttribute("viewBox") ?? "").trim().split(/[\s,]+/).map(Number);
    const hasBox = box.length === 4 && box.every(Number.isFinite) && box[2] > 0 && box[3] > 0;
    const [width, height] = sizeOf(svg) ?? (hasBox ? box.slice(2) : [300, 150]);
    if (!hasBox) svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const scale = Math.min(WIDEST / width, HIGHEST / height);
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(width * scale));
    canvas.height = Math.max(1, Math.round(height * scale));
    svg.setAttribute("width", canvas.width);
    svg.setAttribute("height", canvas.height);
    // Rules of its own for its size would win.
    const style = svg.getAttribute("style");
    if (style) svg.setAttribute("style", style.replace(/(^|;)\s*(min-|max-)?(width|height)\s*:[^;]*/gi, ""));
    const picture = new Image();
    picture.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(new XMLSerializer().serializeToString(svg));
    await picture.decode();
    const context = canvas.getContext("2d");
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    const pixels = context.getImageData(0, 0, canvas.width, canvas.height).data;
    if (!pixels.some((value, at) => at % 4 === 3 && value > 16)) throw new Error("nothing to see");
    return new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done({ blob, shown: canvas.toDataURL() }) : failed()), "image/png"));
  };

  const put = (input, { blob, shown }) => {
    const files = new DataTransfer();
    files.items.add(new File([blob], "logo.png", { type: "image/png" }));
    input.files = files.files;
    const picture = input.closest(".field").querySelector(".logo img");
    if (!picture) return;
    picture.src = shown;
    picture.closest(".logo").hidden = false;
  };

  const textOf = async (file) => {
    const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
    const isPacked = start[0] === 0x1f && start[1] === 0x8b;
    return isPacked ? new Response(file.stream().pipeThrough(new DecompressionStream("gzip"))).text() : file.text();
  };

  for (const input of document.querySelectorAll("input[data-draws]")) {
    input.accept += ",image/svg+xml,.svgz";
    const field = input.closest(".field");
    const wrong = field.querySelector("[data-undrawn]");
    for (const said of field.querySelectorAll(".hint [data-drawn]")) said.hidden = false;
    // A form that is sent meanwhile waits.
    let work;
    const draw = (from, then) => {
      const mine = (work = from
        .then(drawn)
        .then((made) => {
          if (work !== mine) return;
          put(input, made);
          then();
        }, () => work === mine && then("not drawn"))
        .finally(() => work === mine && (work = undefined)));
    };
    input.form.addEventListener("submit", (event) => {
      if (!work) return;
      event.preventDefault();
      const { submitter } = event;
      work.then(() => input.form.requestSubmit(submitter));
    });
    input.addEventListener("change", () => {
      wrong.hidden = true;
      wrong.removeAttribute("role");
      work = undefined;
      const [file] = input.files;
      if (!file || !(/svg/.test(file.type) || /\.svgz?$/i.test(file.name))) return;
      draw(textOf(file), (failed) => {
        if (failed) {
          input.value = "";
          wrong.hidden = false;
          wrong.setAttribute("role", "alert");
        } else input.dispatchEvent(new Event("input", { bubbles: true }));
      });
    });
    // What the site has. Another picture of it is there already, or none.
    if (input.dataset.svg)
      draw(Promise.resolve(input.dataset.svg), (failed) => {
        if (failed) return;
        for (const said of field.parentElement.querySelectorAll("[data-drawn]")) said.hidden = false;
      });
  }
})();
