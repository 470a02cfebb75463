"""The Mac around the app, on the stand-in: 1 addresses and a second launch show the panel; 2 sleep,
wake, power and open menus are noticed; 3 notifications come from a bundle only, and when wanted;
4 the login item; 5 preferences in the user defaults; 6 Full Disk Access is probed and explained.
"""

from pathlib import Path
from typing import Any

import pytest

from app.hotkeys import OPTION
from app.preferences import HOTKEY, LAUNCH_AT_LOGIN, NOTIFY, RECENT_KEPT
from app.problems import CLOSED_FOLDER
from app.state import Folder
from tests.app.contract.hands import (
    answers,
    check,
    grant_notifications,
    post,
    post_event,
    workspace,
)
from tests.app.contract.standin import StandIn
from tests.app.contract.world import World

SPACE = 49


def test_address_searches(world: World) -> None:
    world.run(
        lambda: post_event(world, "GURL", "GURL", "sagasu://search?q=tax%20return"),
        lambda: check(world.shell._panel.visible, True),
        lambda: check(world.told()[-1], {"type": "query", "query": "tax return"}),
    )


def test_foreign_address_is_refused_with_words(world: World) -> None:
    answers(world, 1000)
    world.run(
        lambda: post_event(world, "GURL", "GURL", "sagasu://wipe"),
        lambda: check(world.shell._panel.visible, False),
    )
    ((text,),) = world.sent("NSAlert", "-setInformativeText:")
    assert "is not an address of Sagasu" in text


def test_second_launch_shows_the_panel(world: World) -> None:
    world.run(
        lambda: post_event(world, "aevt", "rapp", None),
        lambda: check(world.shell._panel.visible, True),
    )


def test_recent_search_is_asked_again(world: World) -> None:
    world.memory.recent.add("tax return", 10)
    world.run(
        lambda: world.click("Recent Searches", "tax return"),
        lambda: check(world.told()[-1], {"type": "query", "query": "tax return"}),
        lambda: world.click("Recent Searches", "Clear"),
        lambda: world.settle(lambda: world.memory.recent.queries() == ()),
    )


def test_sleep_wake_and_menus_are_noticed(world: World) -> None:
    centre = workspace(world).notificationCenter()
    menus = world.mac.lookup("NSNotificationCenter").defaultCenter()
    world.run(
        lambda: post(centre, "NSWorkspaceWillSleepNotification"),
        lambda: post(centre, "NSWorkspaceDidWakeNotification"),
        lambda: post(menus, "NSMenuDidBeginTrackingNotification"),
        lambda: check(world.carbon.press(SPACE, OPTION), False),
        lambda: post(menus, "NSMenuDidEndTrackingNotification"),
        lambda: check(world.carbon.press(SPACE, OPTION), True),
    )
    assert world.said == ["started", "asleep", "awake"]


def test_low_power_is_noticed(world: World) -> None:
    centre = world.mac.lookup("NSNotificationCenter").defaultCenter()
    info = world.mac.lookup("NSProcessInfo").processInfo()
    info._kept["lowpowermodeenabled"] = True
    world.run(lambda: post(centre, "NSProcessInfoPowerStateDidChangeNotification"))
    assert world.said == ["started", "saving power: True"]


def test_closed_folder_is_explained_once(world: World) -> None:
    world.mac.lookup("NSBundle").mainBundle()._kept["identifier"] = "org.sagasu.Sagasu"
    grant_notifications(world)
    world.engine.roots.append(Folder("/home/ada/Mail", problem=CLOSED_FOLDER))
    world.run(world.refresh, world.refresh)
    ((_, content, _),) = world.sent(
        "UNNotificationRequest", "+requestWithIdentifier:content:trigger:"
    )
    assert content.title() == "macOS keeps this folder closed"
    assert "Full Disk Access" in content.body()


def test_no_notification_without_a_bundle(world: World, caplog: pytest.LogCaptureFixture) -> None:
    world.carbon.refuse = -9878
    world.run(lambda: None)
    assert not world.sent("UNUserNotificationCenter", "+currentNotificationCenter")
    assert "no notification outside the app bundle" in caplog.text


def test_no_notification_when_unwanted(world: World) -> None:
    world.preferences.choose(NOTIFY, False)
    world.mac.lookup("NSBundle").mainBundle()._kept["identifier"] = "org.sagasu.Sagasu"
    world.carbon.refuse = -9878
    world.run(lambda: None)
    assert not world.sent("UNUserNotificationCenter", "+currentNotificationCenter")


def test_login_item_is_registered_and_taken_off(world: World) -> None:
    service = world.mac.lookup("SMAppService").mainAppService()

    def register(status: int) -> Any:
        return lambda to, error: (to._kept.update(status=status) or True, None)

    world.mac.behaviours["SMAppService", "-registerAndReturnError:"] = register(1)
    world.mac.behaviours["SMAppService", "-unregisterAndReturnError:"] = register(0)
    world.run(
        lambda: world.click("Launch at Login"),
        lambda: check(service.status(), 1),
        lambda: check(world.item("Launch at Login").state(), 1),
        lambda: world.click("Launch at Login"),
        lambda: check(service.status(), 0),
        lambda: check(world.item("Launch at Login").state(), 0),
    )


def test_login_item_that_needs_approval_opens_settings(world: World) -> None:
    def register(to: Any, error: Any) -> tuple[bool, None]:
        to._kept["status"] = 2
        return False, None

    world.mac.behaviours["SMAppService", "-registerAndReturnError:"] = register
    world.run(lambda: world.preferences.choose(LAUNCH_AT_LOGIN, True))
    assert len(world.sent("SMAppService", "+openSystemSettingsLoginItems")) == 1


def test_refused_login_item_is_said(world: World) -> None:
    answers(world, 1000)
    problem = world.mac.make("NSError", localizeddescription="not permitted")
    key = "-registerAndReturnError:"
    world.mac.behaviours["SMAppService", key] = lambda to, error: (False, problem)
    world.run(lambda: world.preferences.choose(LAUNCH_AT_LOGIN, True))
    ((text,),) = world.sent("NSAlert", "-setInformativeText:")
    assert "not permitted" in text


def test_preferences_live_in_user_defaults(world: World) -> None:
    world.preferences.choose(HOTKEY, "⌃⌥F")
    values = world.mac.lookup("NSUserDefaults").standardUserDefaults()._kept["values"]
    assert values == {"hotkey": "⌃⌥F"}
    world.preferences.reset(HOTKEY)
    assert values == {}
    for key in (HOTKEY, LAUNCH_AT_LOGIN):
        assert type(world.preferences.value(key)) is type(key.default)


def test_numbers_come_back_from_user_defaults_as_numbers(world: World) -> None:
    world.preferences.choose(RECENT_KEPT, 7)
    assert world.preferences.number(RECENT_KEPT) == 7


def test_full_disk_access_is_probed_and_linked(mac: StandIn, tmp_path: Path) -> None:
    from app.mac.permissions import has_full_disk_access, open_full_disk_access

    assert has_full_disk_access(tmp_path) is True
    assert has_full_disk_access(tmp_path / "missing") is None
    open_full_disk_access()
    (sent,) = [args for _, sel, args in mac.sent if sel == "-openURL:"]
    assert "Privacy_AllFiles" in sent[0].absoluteString()
