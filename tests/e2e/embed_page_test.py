"""The pages of web/ as the build puts them together: modules, styles, and the policy that names their hashes."""

import base64
import hashlib
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = """<!doctype html><title>x</title>
<meta http-equiv="Content-Security-Policy" content="style-src 'STYLE-HASH'; script-src 'SCRIPT-HASH'">
<style>/*STYLE*/</style><script>/*SCRIPT*/</script>
"""
DECLARED = re.compile(r"^(?:export )?(?:async )?(?:function|const|class|let) (\w+)", re.MULTILINE)
EXPORTED = re.compile(r"^export (?:async )?(?:function|const|class) (\w+)", re.MULTILINE)
IMPORT = re.compile(r"^import \{([^}]*)\} from '([^']*)';", re.MULTILINE)
PROSE = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)


def embed(source):
    """The page's text, or what the embedder said against it."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "page.html"
        done = subprocess.run(["cmake", "-D", f"SOURCE={source}", "-D", f"HTML={out}", "-P",
                               str(ROOT / "cmake/embed_page.cmake")], capture_output=True, text=True, check=False)
        return (out.read_text(encoding="utf-8"), None) if done.returncode == 0 else (None, " ".join(done.stderr.split()))


class Rules(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.page = Path(folder.name) / "page"
        self.page.mkdir()
        (self.page / "page.html").write_text(PAGE, encoding="utf-8")
        (self.page / "style.css").write_text("p { color: red; }\n", encoding="utf-8")

    def embed(self, **modules):
        for name, text in modules.items():
            (self.page / f"{name}.js").write_text(text, encoding="utf-8")
        return embed(self.page)

    def test_modules_come_after_what_they_import_and_once(self):
        text, _ = self.embed(main="import {a} from './a.js';\nimport {b} from './b.js';\na(b);\n",
                             a="import {b} from './b.js';\nexport function a() { return b; }\n",
                             b="export const b = [1, 2]; const c = '\\\\;';\n")
        self.assertEqual(re.findall(r"const page_(\w+)_js =", text), ["b", "a", "main"])
        self.assertIn("const {b} = page_b_js;", text)
        self.assertNotRegex(text, "export|import")

    def test_a_circle_is_refused(self):
        _, said = self.embed(main="import {a} from './a.js';\n", a="import {b} from './b.js';\nexport const a = b;\n",
                             b="import {a} from './a.js';\nexport const b = a;\n")
        self.assertIn("modules import each other in a circle", said)

    def test_an_unknown_name_is_refused(self):
        _, said = self.embed(main="import {a, c} from './a.js';\n", a="export const a = 1;\n")
        self.assertRegex(said, r"main\.js imports c, which .*a\.js does not export")

    def test_an_unknown_file_is_refused(self):
        _, said = self.embed(main="import {a} from './gone.js';\n")
        self.assertRegex(said, r"main\.js imports \./gone\.js, which is not there")

    def test_other_forms_are_refused(self):
        for line in ("import * as a from './a.js';", "export default 1;", "export let a = 1;"):
            _, said = self.embed(main=f"{line}\n", a="export const a = 1;\n")
            self.assertIn("cannot read", said)


class Pages(unittest.TestCase):
    PAGES = ("report", "dashboard", "gateway")

    def test_the_policy_names_what_is_there(self):
        for page in self.PAGES:
            text, said = embed(ROOT / "web" / page)
            self.assertIsNone(said)
            policy = re.search(r'Content-Security-Policy"\s+content="([^"]*)"', text)[1]
            self.assertNotIn("unsafe", policy)
            for tag in ("style", "script"):
                inline = re.findall(f"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
                self.assertEqual(len(inline), 1)
                hashed = base64.b64encode(hashlib.sha256(inline[0].encode()).digest()).decode()
                self.assertIn(f"{tag}-src 'sha256-{hashed}'", policy)
            self.assertNotRegex(text, r"(?:src|href)=[\"']?(?:https?:)?//")

    def test_what_is_called_was_imported_and_what_was_imported_is_used(self):
        modules = {path: path.read_text(encoding="utf-8") for path in (ROOT / "web").rglob("*.js")}
        exported = {name for text in modules.values() for name in EXPORTED.findall(text)}
        for path, text in modules.items():
            imported = {name.strip() for names, _ in IMPORT.findall(text) for name in names.split(",") if name.strip()}
            body = PROSE.sub("", IMPORT.sub("", text))
            for name in imported:
                self.assertRegex(body, rf"\b{name}\b", f"{path.name} imports {name} and does not use it")
            known = imported | set(DECLARED.findall(text))
            for name in exported - known:
                called = re.search(rf"(?:\.\.\.|(?<![\w.'\"-])){name}\(", body)
                local = re.search(rf"\n  (?:async )?{name}\([^)]*\) \{{|(?:const|let|function) {name}\b|[({{,\[]\s*{name}\s*[,)}}=\]]", body)
                self.assertFalse(called and not local, f"{path.name} calls {name} and does not import it")


if __name__ == "__main__":
    unittest.main()
