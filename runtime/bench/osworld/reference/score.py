"""Scores recorded cases with OSWorld's own metrics: score.py FOLDER METRIC... writes FOLDER/METRIC.scores.json, a list of scores.

A call that raises an exception has the score null: OSWorld gives no score then.
"""

import importlib
import importlib.machinery
import json
import os
import shutil
import sys
import tempfile
import types
from unittest.mock import MagicMock

# NumPy sorts equal numbers in another order on processors with AVX-512. Recorded scores must not depend on the processor.
os.environ["NPY_DISABLE_CPU_FEATURES"] = "AVX512F"

# Packages that the compared metrics do not use, and that are large.
UNUSED = ["easyocr", "borb", "borb.pdf", "acoustid"]
if "compare_audios" not in sys.argv:
    UNUSED += ["librosa", "fastdtw"]
for name in UNUSED:
    module = MagicMock(name=name)
    module.__spec__ = importlib.machinery.ModuleSpec(name, None)
    sys.modules.setdefault(name, module)

# The package itself imports the whole environment; its metrics need only their own folder.
import importlib.util

root = importlib.util.find_spec("desktop_env").submodule_search_locations[0]
package = types.ModuleType("desktop_env")
package.__path__ = [root]
sys.modules["desktop_env"] = package
evaluators = types.ModuleType("desktop_env.evaluators")
evaluators.__path__ = [os.path.join(root, "evaluators")]
sys.modules["desktop_env.evaluators"] = evaluators
metrics = importlib.import_module("desktop_env.evaluators.metrics")


def prepared(value, folder):
    """Files become paths of copies, since some metrics write beside their files."""
    if isinstance(value, list):
        return [prepared(each, folder) for each in value]
    if isinstance(value, dict) and "$file" in value:
        return os.path.join(folder, value["$file"])
    return value


def score(metric, call, folder):
    function = getattr(metrics, metric)
    try:
        return float(function(*prepared(call["args"], folder), **call["options"]))
    except Exception as error:  # noqa: BLE001
        if os.environ.get("SHOW_ERRORS"):
            print(metric, repr(error), file=sys.__stderr__)
        return None


def main(folder, names):
    sys.stdout = open(os.devnull, "w")
    folder = os.path.abspath(folder)
    with tempfile.TemporaryDirectory() as copy:
        # Some metrics write into the working directory.
        os.chdir(copy)
        for name in names:
            with open(os.path.join(folder, f"{name}.json")) as file:
                calls = json.load(file)
            if os.path.isdir(os.path.join(folder, name)):
                shutil.copytree(os.path.join(folder, name), os.path.join(copy, name))
            scores = [score(name, call, copy) for call in calls]
            with open(os.path.join(folder, f"{name}.scores.json"), "w") as file:
                json.dump(scores, file)


main(sys.argv[1], sys.argv[2:])
