"""The committed results' report in a real browser: nothing is asked for, nothing complains, tables sort."""

from __future__ import annotations

import shutil
import subprocess
import zlib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed here"),
]

#: What the page is asked once it stands; the answers become its title.
QUESTIONS = """
<script>
window.addEventListener("load", () => {
  const answers = [];
  const table = document.querySelectorAll("table")[1];
  const heading = table.querySelectorAll("th")[6];
  const column = () => [...table.tBodies[0].rows].map(line => parseFloat(line.cells[6].textContent));
  const ordered = (values, sign) => values.every((value, i) => !i || sign * (value - values[i - 1]) >= 0);
  heading.querySelector("button").click();
  answers.push(ordered(column(), 1));
  heading.querySelector("button").click();
  answers.push(ordered(column(), -1));
  answers.push([...document.querySelectorAll('a[href^="#"]')].every(
    a => document.getElementById(a.getAttribute("href").slice(1)) !== null));
  answers.push(performance.getEntriesByType("resource").length);
  answers.push(document.documentElement.scrollWidth <= window.innerWidth);
  answers.push(window.complaints.length);
  document.body.setAttribute("data-answers", answers.join(" "));
});
</script>
"""
COMPLAINTS = """
<script>
window.complaints = [];
window.addEventListener("error", event => window.complaints.push(String(event.message)));
console.error = (...said) => window.complaints.push(said.join(" "));
</script>
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory) -> Path:
    from advsp.report.page.document import write_report

    path = tmp_path_factory.mktemp("page") / "report.html"
    write_report(ROOT / "results", ROOT / "results/paper.yaml", ROOT / "configs", path)
    return path


def browse(folder: Path, *options: str) -> subprocess.CompletedProcess[bytes]:
    quiet = [
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
    ]
    headless = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}"]
    return subprocess.run(
        [BROWSER, *headless, *quiet, *options], capture_output=True, timeout=180, check=False
    )


@pytest.mark.parametrize("width", [390, 1280])
def test_tables_sort_anchors_resolve_and_nothing_is_asked_for_or_complained_of(page, tmp_path, width):
    asked = tmp_path / "asked.html"
    text = page.read_text(encoding="utf-8").replace("<head>", f"<head>{COMPLAINTS}", 1)
    asked.write_text(text.replace("</body>", f"{QUESTIONS}</body>"), encoding="utf-8")
    ended = browse(tmp_path, f"--window-size={width},900", "--dump-dom", asked.as_uri())
    answers = ended.stdout.decode().partition('data-answers="')[2].partition('"')[0]
    assert answers == "true true true 0 true 0", ended.stderr.decode()[-2000:]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_screenshot_is_not_blank(page, tmp_path, scheme):
    picture = tmp_path / "page.png"
    dark = ["--force-dark-mode", "--enable-features=WebContentsForceDark"] if scheme == "dark" else []
    browse(tmp_path, "--window-size=1280,2000", f"--screenshot={picture}", *dark, page.as_uri())
    assert len(shades(picture.read_bytes())) > 20


def shades(png: bytes) -> set[bytes]:
    """Different triples of bytes in the lines of a PNG as they are stored."""
    at, stored = 8, b""
    while at < len(png):
        size = int.from_bytes(png[at : at + 4], "big")
        if png[at + 4 : at + 8] == b"IDAT":
            stored += png[at + 8 : at + 8 + size]
        at += 12 + size
    lines = zlib.decompress(stored)
    return {lines[k : k + 3] for k in range(0, len(lines) - 3, 3)}
