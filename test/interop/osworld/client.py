# A session of OSWorld's own client: its PythonController and SetupController, unchanged, against a server of the guest API.
# Reads {host, port, folder} from the standard input. Prints {results, calls}: what the controllers returned, and all requests and replies.

import base64
import json
import logging
import os
import random
import sys
import types
import uuid
import xml.etree.ElementTree as ElementTree

import requests


def stand_in(name, **members):
    module = types.ModuleType(name)
    for key, value in members.items():
        setattr(module, key, value)
    sys.modules[name] = module


# The set-up controller imports these for steps that this session does not use: browsers, Google Drive, and evaluators.
stand_in("playwright")
stand_in("playwright.sync_api", sync_playwright=None, TimeoutError=TimeoutError)
stand_in("pydrive")
stand_in("pydrive.auth", GoogleAuth=None)
stand_in("pydrive.drive", GoogleDrive=None, GoogleDriveFile=None, GoogleDriveFileList=None)
stand_in("dotenv", load_dotenv=lambda: None)
stand_in("desktop_env.evaluators.metrics")
stand_in("desktop_env.evaluators.metrics.utils", compare_urls=None)

from desktop_env.controllers.python import PythonController  # noqa: E402
from desktop_env.controllers.setup import SetupController  # noqa: E402

# The controllers log every refusal, and some are meant.
logging.disable(logging.CRITICAL)
calls = []
send = requests.Session.send


def recorded_send(self, request, **options):
    body = request.body
    if body is None:
        content = b""
    elif isinstance(body, (str, bytes)):
        content = body.encode() if isinstance(body, str) else body
    else:
        # An upload, which the client streams. Its length becomes known to the server as before.
        content = body.read()
        request.body = content
    reply = send(self, request, **options)
    calls.append({
        "method": request.method,
        "path": request.path_url,
        "type": request.headers.get("Content-Type", ""),
        "body": base64.b64encode(content).decode(),
        "reply": {
            "status": reply.status_code,
            "type": reply.headers.get("Content-Type", ""),
            "body": base64.b64encode(reply.content).decode(),
        },
    })
    return reply


requests.Session.send = recorded_send
# The controllers choose how fast a pointer moves at random.
random.seed(13)

given = json.load(sys.stdin)
folder = given["folder"]
controller = PythonController(given["host"], given["port"])
# Calls that this server refuses are repeated at once.
controller.retry_interval = 0
setup = SetupController(given["host"], given["port"], cache_dir=folder, screen_width=640, screen_height=480)
results = {}

NOTE = "/home/desktop/note.txt"
with open(os.path.join(folder, "note.txt"), "w") as file:
    file.write("first line\n")
URL = "https://files.example/data.csv"
with open(os.path.join(folder, f"{uuid.uuid5(uuid.NAMESPACE_URL, URL)}_data.csv"), "w") as file:
    file.write("a,b\n1,2\n")

results["setup"] = setup.setup([
    {"type": "upload_file", "parameters": {"files": [
        {"local_path": os.path.join(folder, "note.txt"), "path": NOTE}]}},
    {"type": "download", "parameters": {"files": [{"url": URL, "path": "/home/desktop/data/data.csv"}]}},
    {"type": "execute", "parameters": {"command": ["cat", NOTE], "stdout": "printed.txt"}},
    {"type": "command", "parameters": {"command": "echo {SCREEN_WIDTH} > ~/width.txt", "shell": True}},
    {"type": "execute", "parameters": {"command": "cat /dev/shm/none", "shell": True, "until": {"returncode": 1}}},
    {"type": "launch", "parameters": {"command": ["xterm", "-title", "shell window"]}},
    {"type": "execute_with_verification", "parameters": {
        "command": ["true"], "max_wait_time": 60, "check_interval": 0.1,
        "verification": {"window_exists": "shell window", "command_success": "test -f note.txt"}}},
    {"type": "open", "parameters": {"path": NOTE}},
    {"type": "activate_window", "parameters": {"window_name": "shell window"}},
    {"type": "close_window", "parameters": {"window_name": "shell window", "strict": True}},
    {"type": "activate_window", "parameters": {"window_name": "mousepad.Mousepad", "by_class": True}},
    {"type": "change_wallpaper", "parameters": {"path": NOTE}},
    {"type": "sleep", "parameters": {"seconds": 1}},
])
with open(os.path.join(folder, "printed.txt")) as file:
    results["printed"] = file.read()

screenshot = controller.get_screenshot()
results["screenshot"] = [screenshot[:8] == b"\x89PNG\r\n\x1a\n",
                         int.from_bytes(screenshot[16:20], "big"), int.from_bytes(screenshot[20:24], "big")]

STATE = "{https://accessibility.ubuntu.example.org/ns/state}"
PLACE = "{https://accessibility.ubuntu.example.org/ns/component}"


def text_field():
    tree = ElementTree.fromstring(controller.get_accessibility_tree())
    for node in tree.iter("text"):
        if node.get(STATE + "showing") == "true":
            return node
    raise LookupError("no text field is showing")


node = text_field()
x, y = (int(part) for part in node.get(PLACE + "screencoord").strip("()").split(","))
width, height = (int(part) for part in node.get(PLACE + "size").strip("()").split(","))
results["field"] = [node.text, node.get(STATE + "editable"), node.get(STATE + "multi_line")]

# The action space computer_13.
for action in [
    {"action_type": "MOVE_TO", "parameters": {"x": x + width // 2, "y": y + height // 2}},
    {"action_type": "CLICK", "parameters": {}},
    {"action_type": "CLICK", "parameters": {"button": "left", "x": x + 20, "y": y + 100, "num_clicks": 1}},
    {"action_type": "RIGHT_CLICK", "parameters": {"x": x + 40, "y": y + 100}},
    {"action_type": "PRESS", "parameters": {"key": "esc"}},
    {"action_type": "HOTKEY", "parameters": {"keys": ["ctrl", "end"]}},
    {"action_type": "TYPING", "parameters": {"text": "it's <b> & \"q\"\t\\\n"}},
    {"action_type": "KEY_DOWN", "parameters": {"key": "shift"}},
    {"action_type": "PRESS", "parameters": {"key": "a"}},
    {"action_type": "KEY_UP", "parameters": {"key": "shift"}},
    {"action_type": "SCROLL", "parameters": {"dx": 1, "dy": -2}},
    {"action_type": "DOUBLE_CLICK", "parameters": {"x": x + 10, "y": y + 8}},
    {"action_type": "MOUSE_DOWN", "parameters": {"button": "left"}},
    {"action_type": "MOVE_TO", "parameters": {"x": x + 30, "y": y + 8}},
    {"action_type": "MOUSE_UP", "parameters": {"button": "left"}},
    {"action_type": "DRAG_TO", "parameters": {"x": x + 10, "y": y + 8}},
    {"action_type": "HOTKEY", "parameters": {"keys": ["ctrl", "end"]}},
    "WAIT",
]:
    controller.execute_action(action)

# The action space pyautogui.
results["pyautogui"] = controller.execute_python_command(
    "pyautogui.write('x=1')\ntime.sleep(0.1)\npyautogui.press('enter')\n"
    "import pyperclip\npyperclip.copy('žluť 漢')\npyautogui.hotkey('ctrl', 'v')\npyautogui.hotkey('ctrl', 's')")
results["refused"] = controller.execute_python_command("open('/tmp/x')")
# The application saves in its own time.
setup.setup([{"type": "execute", "parameters": {
    "command": ["grep", "-q", "žluť", NOTE], "until": {"returncode": 0}}}])
results["saved"] = controller.get_file(NOTE).decode()
results["typed"] = text_field().text

results["position"] = controller.execute_python_command("print(pyautogui.position())")
results["platform"] = controller.get_vm_platform()
results["size"] = controller.get_vm_screen_size()
results["window"] = controller.get_vm_window_size("mousepad")
results["no_window"] = controller.get_vm_window_size("gimp")
results["terminal"] = controller.get_terminal_output()
results["desktop_path"] = controller.get_vm_desktop_path()
results["wallpaper"] = controller.get_vm_wallpaper()
results["directory"] = controller.get_vm_directory_tree("/home/desktop/data")
results["no_directory"] = controller.get_vm_directory_tree("/none")
results["no_file"] = controller.get_file("/none")
results["width"] = controller.get_file("~/width.txt").decode()
results["bash"] = controller.run_bash_script("echo out; echo err >&2; exit 3", working_dir="/tmp")
results["slow"] = controller.run_bash_script("sleep 30", timeout=1)
results["python"] = controller.run_python_script("print(1)")
controller.start_recording()
controller.end_recording(os.path.join(folder, "recording.mp4"))
results["recording"] = os.path.exists(os.path.join(folder, "recording.mp4"))

json.dump({"results": results, "calls": calls}, sys.stdout)
