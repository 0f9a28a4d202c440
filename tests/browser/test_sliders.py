"""The sliders in a real browser: mouse, keyboard, and life after the kernel."""

import labserver
import pytest

from dplib.plots.parts.ink import unbroken

pytestmark = pytest.mark.browser

# What the reader sees of the first slider: its readout, the picture, and the sentence below it.
VIEW = """() => {
  const shown = [...document.querySelectorAll('.jp-OutputArea-output figure')]
    .filter(figure => figure.offsetParent !== null);
  const image = shown[0]?.querySelector('svg');
  return {
    count: shown.length,
    readout: document.querySelector('.widget-readout').textContent,
    caption: shown[0]?.querySelector('figcaption').textContent,
    alt: image?.getAttribute('aria-label'),
    picture: image?.outerHTML,
    drawn: Boolean(image?.getBoundingClientRect().height > 100),
  };
}"""


@pytest.fixture(scope="module")
def opened(desk, lab_folder, tmp_path_factory):
    """A notebook of one cell, so that these tests depend on no chapter, opened and run once."""
    path = tmp_path_factory.mktemp("notebooks") / "slider.ipynb"
    call = "from dplib.explore import explore_neighbors\n\nexplore_neighbors()"
    notebook = labserver.write_notebook(path, call).relative_to(lab_folder)
    labserver.close_all(desk)
    labserver.run_beside(desk, notebook.as_posix())
    handle(desk).wait_for()
    return desk


@pytest.fixture
def page(opened):
    """That notebook, whose slider each test puts back to where it began."""
    yield opened
    handle(opened).focus()
    for key in ("End", *["ArrowLeft"] * 10):
        opened.keyboard.press(key)
    wait_for_readout(opened, "1")


def handle(page):
    return page.locator(".noUi-handle").first


def look(page):
    """What is seen now; one whole picture whose sentence and slider agree on ε."""
    view = page.evaluate(VIEW)
    assert view["count"] == 1
    assert view["drawn"]
    assert view["caption"].startswith(f"With ε = {view['readout']} the release")
    assert view["alt"] == view["caption"]
    return view


def wait_for_readout(page, readout):
    """Wait until the slider says `readout` and the page follows it."""
    page.wait_for_function(
        f"readout => (view => view.readout === readout && view.drawn && "
        f"view.caption.startsWith(`With ε = ${{readout}} `))(({VIEW})())",
        arg=readout,
    )
    return look(page)


def drag(page, pixels):
    """Pull the handle sideways with the mouse; return all that was seen on the way."""
    handle(page).scroll_into_view_if_needed()
    box = handle(page).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    seen = []
    page.mouse.move(x, y)
    page.mouse.down()
    for step in range(1, 11):
        page.mouse.move(x + pixels * step / 10, y)
        readout = page.locator(".widget-readout").first.text_content()
        seen.append(wait_for_readout(page, readout))
    page.mouse.up()
    return seen


def shut_kernel_down(page):
    page.evaluate("() => void jupyterapp.shell.currentWidget.context.sessionContext.shutdown()")
    page.wait_for_function(
        "() => !jupyterapp.shell.currentWidget.context.sessionContext.session?.kernel"
    )


# The tests of one page: the first sees it as it is opened, the last ends its kernel. -------------


def test_a_screen_reader_hears_the_name_and_the_value(page):
    spoken = "() => document.querySelector('.noUi-handle').getAttribute"
    page.wait_for_function(f"{spoken}('aria-label') === 'ε'")
    assert page.evaluate(f"{spoken}('aria-valuetext')") == "ε = 1"
    handle(page).focus()
    handle(page).press("ArrowLeft")
    wait_for_readout(page, "0.79")
    page.wait_for_function(f"{spoken}('aria-valuetext') === 'ε = 0.79'")
    drag(page, -60)
    readout = page.locator(".widget-readout").first.text_content()
    page.wait_for_function(
        f"words => {spoken[6:]}('aria-valuetext') === words", arg=f"ε = {readout}"
    )


def test_the_handle_can_be_dragged(page):
    first = look(page)
    assert first["readout"] == "1"
    seen = drag(page, -200)
    assert len({view["picture"] for view in seen}) > 5
    assert len({view["caption"] for view in seen}) == len({view["picture"] for view in seen})
    assert float(seen[-1]["readout"]) < 0.2
    assert seen[-1]["picture"] != first["picture"]


def test_the_keyboard_moves_it(page):
    first = look(page)
    handle(page).focus()
    handle(page).press("ArrowRight")
    right = wait_for_readout(page, "1.3")
    assert right["picture"] != first["picture"]
    handle(page).press("ArrowLeft")
    assert wait_for_readout(page, "1") == first
    handle(page).press("Home")
    wait_for_readout(page, "0.01")
    handle(page).press("End")
    wait_for_readout(page, "10")
    handle(page).press("PageDown")
    wait_for_readout(page, "3.2")


def test_it_lives_on_when_the_kernel_is_gone(page):
    first = look(page)
    shut_kernel_down(page)
    seen = drag(page, 100)
    assert seen[-1]["picture"] != first["picture"]
    handle(page).focus()
    handle(page).press("Home")
    wait_for_readout(page, "0.01")


# Pages of their own ------------------------------------------------------------------------------


def test_answers_rain_one_after_another_and_no_kernel_is_needed(open_notebook, tmp_path):
    call = "explore_rain(range(40), value=20, sensitivity=1, epsilon=0.1)"
    cell = f"from dplib.explore import explore_rain\n\n{call}"
    page = open_notebook(labserver.write_notebook(tmp_path / "rain.ipynb", cell))
    play = page.get_by_role("button", name="Play or pause")
    page.get_by_role("button", name="To the start").click()
    page.wait_for_function(f"() => ({VIEW})().caption.startsWith('The first answer ')")
    shut_kernel_down(page)
    play.press("Enter")
    page.wait_for_function(f"() => ({VIEW})().caption.startsWith('The first 40 answers ')")
    assert page.evaluate(VIEW)["readout"] == "40"
    page.emulate_media(reduced_motion="reduce")
    assert play.is_hidden() and handle(page).is_visible()


def test_a_long_drawing_says_how_far_it_is_and_takes_its_words_away(open_notebook, tmp_path):
    cell = """
import time
from dplib.explore.parts.frames import explore_frames

def draw(axes, stop):
    axes[0].plot([0, stop])
    time.sleep(0.4)

explore_frames(draw, str, stops=(0.1, 1, 2, 3, 4))
"""
    watch = """() => { window.heard = []; new MutationObserver(() => {
      const said = document.querySelector('.jp-OutputArea-output')?.textContent ?? '';
      if (said.startsWith('Drawing')) heard.push(said);
    }).observe(document.body, {childList: true, subtree: true, characterData: true}); }"""
    page = open_notebook(labserver.write_notebook(tmp_path / "slow.ipynb", cell))
    page.evaluate(watch)
    page.evaluate("() => jupyterapp.commands.execute('notebook:run-all-cells')")
    page.wait_for_function("() => heard.some(words => words.includes('4 of 5'))")
    handle(page).wait_for()
    page.wait_for_function("() => !document.body.textContent.includes('Drawing: 4 of 5')")


def test_a_function_of_the_readers_own_is_drawn_anew_at_each_move(open_notebook, tmp_path):
    cell = """
import numpy as np
from dplib import explore

def my_mechanism(value, *, sensitivity, epsilon):
    return value + np.random.default_rng().laplace(scale=sensitivity / epsilon)

explore.explore_neighbors(mechanism=my_mechanism)
"""
    page = open_notebook(labserver.write_notebook(tmp_path / "own.ipynb", cell))
    handle(page).wait_for()
    look = "() => document.querySelector('.jp-OutputArea-output figure').innerHTML"
    shown = "words => document.querySelector('figcaption').textContent.startsWith(words)"
    page.wait_for_function(shown, arg="With ε = 1, half of your")
    seen = [page.evaluate(look)]
    handle(page).focus()
    for key, readout in (("Home", "0.01"), ("End", "10")):
        handle(page).press(key)
        page.wait_for_function(shown, arg=f"With ε = {readout}, half of your")
        seen.append(page.evaluate(look))
    page.get_by_role("button", name="Draw again").click()
    page.wait_for_function(f"before => ({look})() !== before", arg=seen[-1])
    assert len({*seen, page.evaluate(look)}) == 4
    page.screenshot(path=tmp_path / "own.png")


def test_two_sliders_move_one_figure_and_each_says_its_own_value(open_notebook, tmp_path):
    cell = "from dplib import explore\n\nexplore.explore_delta(epsilon=None)"
    page = open_notebook(labserver.write_notebook(tmp_path / "two.ipynb", cell))
    handles = page.locator(".noUi-handle")
    spoken = "words => [...document.querySelectorAll('.noUi-handle')].some(handle => words === "
    spoken += "handle.getAttribute('aria-label') + ': ' + handle.getAttribute('aria-valuetext'))"
    shown = "words => document.querySelector('figcaption').textContent.startsWith(words)"
    page.wait_for_function(shown, arg=unbroken("With ε = 1 and δ = 1e-5, "))
    handles.nth(1).focus()
    handles.nth(1).press("Home")
    page.wait_for_function(shown, arg=unbroken("With ε = 0.01 and δ = 1e-5, "))
    handles.nth(0).focus()
    handles.nth(0).press("ArrowLeft")
    page.wait_for_function(shown, arg="With ε = 0.01 and δ = 0.0001, ")
    page.wait_for_function(spoken, arg="δ: δ = 0.0001")
    page.wait_for_function(spoken, arg="ε: ε = 0.01")
    assert page.get_by_role("button", name="Draw again").count() == 0
