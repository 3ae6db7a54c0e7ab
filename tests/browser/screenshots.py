"""Makes the pictures in docs/screenshots: `python -m tests.browser.screenshots`, with Inter installed."""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, ViewportSize

from chaos.running import Running, up
from tests.browser import chromium

_PICTURES = Path(__file__).parents[2] / "docs" / "screenshots"
_VIEWER = "fighter-064"
_DESKTOP: ViewportSize = {"width": 1280, "height": 860}
_PHONE: ViewportSize = {"width": 390, "height": 844}


def _fight(service: Running, battles: int) -> None:
    demo = [sys.executable, "-m", "matchmaker", "demo", "--url", service.url, "--key", service.admin_key()]
    subprocess.run([*demo, "--battles", str(battles)], check=True, stdout=subprocess.DEVNULL)


def _shoot(browser: Browser, service: Running) -> None:
    board = f"{service.url}/?ladder=nft&me={_VIEWER}"
    desktop = browser.new_page(
        viewport=_DESKTOP, color_scheme="light", reduced_motion="reduce", locale="en-GB"
    )
    phone = browser.new_page(viewport=_PHONE, color_scheme="dark", reduced_motion="reduce", locale="sk-SK")
    for page in (desktop, phone):
        page.goto(board)
        page.wait_for_selector("#place .rank")
    _fight(service, 500)  # so that some have moved since the pages were opened
    for page, name in ((desktop, "board-desktop-light"), (phone, "board-phone-dark")):
        page.wait_for_timeout(1500)
        page.screenshot(path=_PICTURES / f"{name}.png")
    desktop.goto(f"{service.url}/?ladder=nft&player=fighter-016&opponent=fighter-042")
    desktop.wait_for_selector(".odds")
    desktop.screenshot(path=_PICTURES / "player-desktop-light.png")


def main() -> None:
    program = chromium.executable()
    if program is None:
        raise SystemExit("no Chromium here: apt-get install chromium")
    _PICTURES.mkdir(parents=True, exist_ok=True)
    with (
        TemporaryDirectory() as directory,
        up(Path(directory)) as service,
        chromium.launched(program) as browser,
    ):
        _fight(service, 3000)
        _shoot(browser, service)


if __name__ == "__main__":
    main()
