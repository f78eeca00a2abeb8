"""build.py PROGRAM: builds docs/ into build/site, a site that needs no server and no network. The pages are put together in
build/site-pages: those of docs/, the gallery (each example that needs no data, run by PROGRAM), what PROGRAM lists, and the APIs."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from code_reference import code_page
from reference import keys_page, options_page
from service_reference import service_page

ROOT = Path(__file__).resolve().parents[2]
PAGES, REPORTS, SITE = ROOT / "build/site-pages", ROOT / "build/gallery", ROOT / "build/site"
KATEX = Path("/usr/share/javascript/katex")
CODE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"(\]\()([^)\s#]+)(#[^)\s]*)?(?=\))")

# Where files of the checkout stand in the site; others keep their path.
MOVED = {"README.md": "index.md", "docs/README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}


def place(path):
    """The place in the site of a file of the checkout, both as relative paths."""
    return MOVED.get(path, path.removeprefix("docs/"))


def with_links(text, source):
    """The text of a page whose links, right in the checkout, are right in the site."""
    def moved(link):
        if "://" in link[2]:
            return link[0]
        target = (ROOT / source).parent.joinpath(link[2]).resolve().relative_to(ROOT)
        if (ROOT / target).is_file() and not str(target).startswith("docs/"):
            copy(target)
        up = "../" * place(source).count("/")
        return f"{link[1]}{up}{place(str(target))}{link[3] or ''}"

    pieces, at = [], 0
    for code in [*CODE.finditer(text), None]:
        end = code.start() if code else len(text)
        pieces += [LINK.sub(moved, text[at:end]), code[0] if code else ""]
        at = code.end() if code else end
    return "".join(pieces)


def copy(path):
    """Puts a file of the checkout, which a page links to, into the site."""
    if place(str(path)).endswith(".md"):
        return
    target = PAGES / place(str(path))
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(ROOT / path, target)


def write(name, text):
    (PAGES / name).parent.mkdir(parents=True, exist_ok=True)
    (PAGES / name).write_text(text)


def pages():
    for path in [*sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "bench/seen").glob("*.md")), ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]:
        source = str(path.relative_to(ROOT))
        write(place(source), with_links(path.read_text(), source))
    pictures = [path for path in (ROOT / "docs").iterdir() if path.suffix in (".png", ".svg", ".bib")]
    for path in [*pictures, *(ROOT / "docs/site" / name for name in ("favicon.svg", "iframe-worker.js", "math.js", "site.css"))]:
        shutil.copyfile(path, PAGES / path.name)


def formulas():
    """KaTeX, which math.js renders formulas with, from Debian's package: nothing is fetched when a page is read."""
    to = PAGES / "katex"
    to.mkdir()
    for name in ("katex.min.js", "katex.min.css"):
        shutil.copyfile(KATEX / name, to / name)
    shutil.copytree(KATEX / "fonts", to / "fonts", ignore=shutil.ignore_patterns("*.ttf", "*.woff"))


def needs_data(spec):
    streams = spec.get("streams", [spec.get("stream", {})])
    return any("path" in stream and not (ROOT / stream["path"]).exists() for stream in streams)


def about(text):
    """The comment at the head of an example, up to its first command: what the example is."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("# ") or line.startswith("#   "):
            break
        lines.append(line[2:])
    words = " ".join(lines).replace("<", "&lt;")
    return words.rpartition(". ")[0] + "." if words.endswith(":") else words  # its last sentence announces the command


def example(path, program):
    """The section of the gallery about one example."""
    text = path.read_text()
    name, spec = path.stem, tomllib.loads(text)
    section = f"## {name}\n\n{about(text)}\n\n"
    whole = f'??? note "examples/{path.name}"\n\n    ```toml\n' + "".join(f"    {line}\n" for line in text.splitlines()) + "    ```\n\n"
    if needs_data(spec):
        return section + "It needs data that is not part of Tarry; the comment in the file says where it comes from. " \
                         "What it showed: [results](results.md).\n\n" + whole
    out = REPORTS / name
    printed = subprocess.run([program, "run", f"examples/{path.name}", "--out", out], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    table = re.sub(r" \(\d+ kept from before\)", "", printed).split("\nreport ")[0].strip("\n").replace(str(out), f"runs/{name}")
    target = PAGES / "gallery" / name / "report.html"
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(out / "report.html", target)
    return section + f"[Open the report](gallery/{name}/report.html){{ .md-button target=_blank }}\n\n" \
                     f"```console\n$ tarry run examples/{path.name}\n{table}\n```\n\n" + whole


def gallery(program):
    paths = sorted((ROOT / "examples").glob("*.toml"), key=lambda path: (needs_data(tomllib.loads(path.read_text())), path.stem != "demo", path.stem))
    write("gallery.md", "# Gallery\n\nThe experiments of `examples/`, what they print, and their reports: one file each, which opens "
          "without a network. They were run when this site was built.\n\n" + "".join(example(path, program) for path in paths))


def python_api():
    write("api/python.md", """# Python API

Taken from the package's sources and stubs. [Python](../python.md) explains how to use it.

## Models

::: tarry.Model
    options: {heading_level: 3}
::: tarry.Decision
    options: {heading_level: 3}
::: tarry.Decisions
    options: {heading_level: 3}
::: tarry.explain
    options: {heading_level: 3}
::: tarry.Client
    options: {heading_level: 3}

## Late labels and experiments

::: tarry.late_labels
    options: {heading_level: 3}
::: tarry.LateLabels
    options: {heading_level: 3}
::: tarry.run
    options: {heading_level: 3}
::: tarry.simulate
    options: {heading_level: 3}
::: tarry.Results
    options: {heading_level: 3}
::: tarry.verify
    options: {heading_level: 3}

## What a specification can name

::: tarry.tasks
    options: {heading_level: 3}
::: tarry.sets
    options: {heading_level: 3}
::: tarry.learners
    options: {heading_level: 3}
::: tarry.losses
    options: {heading_level: 3}
::: tarry.delays
    options: {heading_level: 3}
::: tarry.streams
    options: {heading_level: 3}
::: tarry.oracle
    options: {heading_level: 3}

::: tarry.errors
::: tarry.river
::: tarry.sklearn
::: tarry.testing
""")


def cpp_api():
    write("api/cpp.md", """# C++ API

[Open the C++ reference](cpp/index.html){ .md-button }

It is made from the headers by Doxygen and has a search of its own. Begin with these:

| header | what it has |
|---|---|
| [tarry.h](cpp/tarry_8h.html) | everything that a program which embeds Tarry includes |
| [Model](cpp/classtarry_1_1Model.html) | plays, learns, predicts, saves |
| [Event](cpp/event_8h.html) | what a model is fed: `Play`, `Label`, `Gradient`, `Expire`, `Void` |
| [Ledger](cpp/classtarry_1_1Ledger.html) | the rounds that wait for their answer |
| [AnySet](cpp/classtarry_1_1AnySet.html), [AnyLearner](cpp/classtarry_1_1AnyLearner.html) | any set, any learner; [Adding](../adding.md) says how to write one |

Link `tarry::core` after `find_package(tarry)`; the lab's headers need `tarry::tarry`. [Models](../model.md) explains the ideas,
[Architecture](../architecture.md) the folders.
""")
    config = (ROOT / "docs/site/Doxyfile").read_text() + f"\nOUTPUT_DIRECTORY = {PAGES / 'api'}\nHTML_OUTPUT = cpp\n"
    subprocess.run(["doxygen", "-"], input=config, text=True, cwd=ROOT, check=True)


def wrong_links():
    """Links and sources of the site's own pages that lead nowhere, and anything that a page would fetch from elsewhere."""
    wrong = []
    for page in SITE.rglob("*.html"):
        if "api/cpp" in str(page) or "gallery/" in str(page):
            continue
        text = page.read_text()
        for tag, name, target in re.findall(r"<(a|link|script|img)\b[^>]*?\b(href|src)=\"([^\"]*)\"", text):
            if re.match(r"(https?:)?//", target):
                if tag != "a":
                    wrong.append(f"{page.name}: fetches {target}")
                continue
            path, _, anchor = target.partition("#")
            file = page.parent / path if path else page
            if target.startswith(("data:", "mailto:")) or page.name == "404.html":
                continue
            if not file.exists():
                wrong.append(f"{page.name}: {target} leads nowhere")
            elif anchor and file.suffix == ".html" and f'id="{anchor}"' not in (text if file == page else file.read_text()):
                wrong.append(f"{page.name}: {target} has no such anchor")
    return wrong


def main():
    program = Path(sys.argv[1]).resolve()
    shutil.rmtree(PAGES, ignore_errors=True)
    PAGES.mkdir(parents=True)
    pages()
    formulas()
    gallery(program)
    write("keys.md", keys_page(program))
    write("options.md", options_page(program))
    write("service_keys.md", service_page(program))
    write("code.md", code_page())
    python_api()
    cpp_api()
    shutil.copyfile(ROOT / "docs/site/zensical.yml", ROOT / "build/zensical.yml")
    generator = Path(sys.executable).with_name("zensical")
    subprocess.run([generator, "build", "--strict", "--clean", "-f", "zensical.yml"], cwd=ROOT / "build", check=True)
    if wrong := wrong_links():
        sys.exit("\n".join(wrong))
    print(f"Open {SITE.relative_to(ROOT)}/index.html")


if __name__ == "__main__":
    main()
