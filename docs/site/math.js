// Formulas of the pages, \(…\) and \[…\] in elements of the class arithmatex, as KaTeX draws them.
for (const element of document.querySelectorAll(".arithmatex")) {
  const [, open, formula] = element.textContent.trim().match(/^\\([([])([^]*)\\[)\]]$/) ?? [];
  if (formula) katex.render(formula, element, {displayMode: open === "[", throwOnError: true});
}
