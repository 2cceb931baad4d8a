#!/usr/bin/env python3
"""Plays the parts of a desktop that an app talks to over the session bus: the notification server, and the watcher and host
of tray icons. Each thing that happens is one JSON line on stdout ({"event": ...}); each line on stdin is a command:

  {"do": "click", "id": 1}                      the person clicks a notification
  {"do": "dismiss", "id": 1}                    the person closes it
  {"do": "activate", "item": "..."}             a click on the tray icon
  {"do": "read-menu", "item": "..."}            answered by {"event": "menu", "labels": [...]}
  {"do": "choose", "item": "...", "label": "."} an entry of the tray menu is clicked
"""
import json
import sys
import threading

import dbus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

NOTIFICATIONS = "org.freedesktop.Notifications"
WATCHER = "org.kde.StatusNotifierWatcher"
ITEM = "org.kde.StatusNotifierItem"
MENU = "com.canonical.dbusmenu"
PROPERTIES = "org.freedesktop.DBus.Properties"
DISMISSED, CLOSED_BY_APP = 2, 3
# An item answers for its properties only after it has been registered.
SETTLE_MS = 50


def say(event, **facts):
    sys.stdout.write(json.dumps({"event": event, **facts}) + "\n")
    sys.stdout.flush()


def plain(value):
    """D-Bus values as JSON; pixmaps and other long byte arrays only by their length."""
    if isinstance(value, dbus.Boolean):
        return bool(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value)
    if isinstance(value, dict):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return {"length": len(value)} if len(value) > 100 else [plain(entry) for entry in value]
    return str(value)


class NotificationServer(dbus.service.Object):
    def __init__(self, bus):
        super().__init__(dbus.service.BusName(NOTIFICATIONS, bus, do_not_queue=True), "/org/freedesktop/Notifications")
        self.count = 0

    @dbus.service.method(NOTIFICATIONS, in_signature="susssasa{sv}i", out_signature="u")
    def Notify(self, app, replaces, icon, summary, body, actions, hints, timeout):
        if not replaces:
            self.count += 1
        number = int(replaces) or self.count
        say("notification", id=number, app=str(app), summary=str(summary), body=str(body), actions=plain(actions))
        return dbus.UInt32(number)

    @dbus.service.method(NOTIFICATIONS, in_signature="u")
    def CloseNotification(self, number):
        say("notification-closed", id=int(number))
        self.NotificationClosed(number, CLOSED_BY_APP)

    @dbus.service.method(NOTIFICATIONS, out_signature="as")
    def GetCapabilities(self):
        return ["actions", "body", "persistence"]

    @dbus.service.method(NOTIFICATIONS, out_signature="ssss")
    def GetServerInformation(self):
        return "fake desktop", "tests", "1", "1.2"

    @dbus.service.signal(NOTIFICATIONS, signature="uu")
    def NotificationClosed(self, number, reason):
        pass

    @dbus.service.signal(NOTIFICATIONS, signature="us")
    def ActionInvoked(self, number, action):
        pass


class TrayWatcher(dbus.service.Object):
    def __init__(self, bus):
        super().__init__(dbus.service.BusName(WATCHER, bus, do_not_queue=True), "/StatusNotifierWatcher")
        self.bus = bus
        self.items = {}

    @dbus.service.method(WATCHER, in_signature="s", sender_keyword="sender")
    def RegisterStatusNotifierItem(self, service, sender=None):
        owner, path = (sender, str(service)) if str(service).startswith("/") else (str(service), "/StatusNotifierItem")
        item = owner + path
        self.items[item] = (owner, path)
        self.bus.watch_name_owner(owner, lambda holder: None if holder else self.forget(item))
        self.StatusNotifierItemRegistered(item)
        GLib.timeout_add(SETTLE_MS, self.describe, item)

    @dbus.service.method(WATCHER, in_signature="s")
    def RegisterStatusNotifierHost(self, service):
        pass

    @dbus.service.signal(WATCHER, signature="s")
    def StatusNotifierItemRegistered(self, item):
        pass

    @dbus.service.signal(WATCHER, signature="s")
    def StatusNotifierItemUnregistered(self, item):
        pass

    @dbus.service.method(PROPERTIES, in_signature="ss", out_signature="v")
    def Get(self, interface, name):
        return self.GetAll(interface)[name]

    @dbus.service.method(PROPERTIES, in_signature="s", out_signature="a{sv}")
    def GetAll(self, interface):
        return {
            "IsStatusNotifierHostRegistered": dbus.Boolean(True),
            "ProtocolVersion": dbus.Int32(0),
            "RegisteredStatusNotifierItems": dbus.Array(list(self.items), signature="s"),
        }

    def forget(self, item):
        if self.items.pop(item, None):
            self.StatusNotifierItemUnregistered(item)
            say("tray-gone", item=item)

    def properties(self, item):
        owner, path = self.items[item]
        return dbus.Interface(self.bus.get_object(owner, path), PROPERTIES)

    def describe(self, item):
        try:
            known = self.properties(item).GetAll(ITEM)
            say("tray", item=item, status=plain(known.get("Status")), tooltip=plain(known.get("ToolTip")))
        except (KeyError, dbus.DBusException) as error:
            say("error", message=str(error))
        return False

    def activate(self, item):
        owner, path = self.items[item]
        dbus.Interface(self.bus.get_object(owner, path), ITEM).Activate(0, 0)

    def menu(self, item):
        """The menu's interface, and its entries as (id, label)."""
        path = str(self.properties(item).Get(ITEM, "Menu"))
        menu = dbus.Interface(self.bus.get_object(self.items[item][0], path), MENU)
        _, (_, _, children) = menu.GetLayout(0, -1, dbus.Array([], signature="s"))
        # An underscore marks the access key, two are one underscore.
        label = lambda facts: str(facts.get("label", "")).replace("__", "\0").replace("_", "").replace("\0", "_")
        return menu, [(int(number), label(facts)) for number, facts, _ in children]


class Desktop:
    def __init__(self, bus):
        self.notifications = NotificationServer(bus)
        self.tray = TrayWatcher(bus)

    def obey(self, command):
        try:
            getattr(self, command.pop("do").replace("-", "_"))(**command)
        except Exception as error:  # told to the test, which fails with it
            say("error", message=repr(error))
        return False

    def click(self, id):
        self.notifications.ActionInvoked(id, "default")
        self.notifications.NotificationClosed(id, DISMISSED)

    def dismiss(self, id):
        self.notifications.NotificationClosed(id, DISMISSED)

    def activate(self, item):
        self.tray.activate(item)

    def read_menu(self, item):
        say("menu", item=item, labels=[label for _, label in self.tray.menu(item)[1]])

    def choose(self, item, label):
        menu, entries = self.tray.menu(item)
        number = next(number for number, known in entries if known == label)
        menu.Event(number, "clicked", dbus.Int32(0, variant_level=1), dbus.UInt32(0))


def main():
    dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
    desktop = Desktop(dbus.SessionBus())
    loop = GLib.MainLoop()

    def read_commands():
        for line in sys.stdin:
            GLib.idle_add(desktop.obey, json.loads(line))
        GLib.idle_add(loop.quit)

    threading.Thread(target=read_commands, daemon=True).start()
    say("ready")
    loop.run()


main()
