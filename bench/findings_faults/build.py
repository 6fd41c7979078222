"""Builds both versions of faults: python3 build.py FAULTS INTO NAME... writes INTO/NAME/{faulty,repaired}/ and, with the answer of build(),
INTO/NAME-{faulty,repaired}.json. A process of its own, because frameworks crash, and keep memory and threads."""
import json
import pathlib
import random
import sys
import traceback

sys.dont_write_bytecode = True
import fault  # noqa: E402


def answer_of(folder, name, place, repaired):
    try:
        module = fault.load(folder, name)
        place.mkdir(parents=True)
        random.seed(1)
        if "torch" in sys.modules:
            sys.modules["torch"].manual_seed(1)
        return {"arguments": [str(argument) for argument in module.build(place, repaired)]}
    except ModuleNotFoundError as error:
        return {"missing": str(error)}
    except Exception:
        return {"error": traceback.format_exc()[-2000:]}


def main():
    folder, into, *names = sys.argv[1:]
    into = pathlib.Path(into)
    for name in names:
        for version in ("faulty", "repaired"):
            answer = answer_of(folder, name, into / name / version, version == "repaired")
            (into / f"{name}-{version}.json").write_text(json.dumps(answer))


if __name__ == "__main__":
    main()
