// SPDX-License-Identifier: MIT
// What a page looks like to its readers, asked in the browser by test_page.

function colourParts(text) {
  const parts = text.match(/[\d.]+/g).map(Number);
  return parts.length === 3 ? [...parts, 1] : parts;
}

function luminance(colour) {
  const [r, g, b] = colour.map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function groundOf(element) {
  for (let one = element; one; one = one.parentElement) {
    const colour = colourParts(getComputedStyle(one).backgroundColor);
    if (colour[3] === 1) return colour;
  }
  return [255, 255, 255, 1];
}

function contrastOf(element) {
  const [a, b] = [colourParts(getComputedStyle(element).color), groundOf(element)].map(luminance);
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

// The least contrast of a visible text against its ground, and that text.
function leastContrast() {
  let least = [99, ""];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const text = walker.currentNode.textContent.trim();
    if (text === "" || !element.checkVisibility()) continue;
    const contrast = contrastOf(element);
    if (contrast < least[0]) least = [contrast, text.slice(0, 40)];
  }
  return least;
}

// Visible elements that leave the window.
function sticksOut() {
  return [...document.querySelectorAll("body *")].filter((element) => {
    if (!element.checkVisibility() || element.closest(".scroll, .skip, .unseen, svg")) return false;
    const box = element.getBoundingClientRect();
    return box.width > 0 && (box.right > document.documentElement.clientWidth + 1 || box.left < -1);
  }).map((element) => element.outerHTML.slice(0, 80));
}
