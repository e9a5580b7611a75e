/**
 * The Python program that decides whether a candidate passes, run as `python -I -B -c CHECKER` with one JSON object on
 * standard input: {token, parts, head, test, entry_point, cpu_seconds, memory_mb}. Python 3.8 and later.
 *
 * Two processes: the candidate runs in a child that was split off before the tests and the token were read, so that neither
 * is in its memory. The tests run in the parent and call the candidate over a pipe, on which only plain values travel: an
 * object that claims to equal anything, a patched built-in or an early exit changes nothing in the process that compares.
 * The parent prints `<token> passed` once the tests have returned, or `<token> failed <reason>`.
 */
export const CHECKER = String.raw`
import json, os, sys, types

MAX_REPLY = 64 * 1024 * 1024
MAX_FILE = 64 * 1024 * 1024


class Rejected(Exception):
    pass


class Iterable_:
    """What a candidate returned that is no plain value but can be gone through: equal to nothing but itself."""

    def __init__(self, items):
        self.items = items

    def __iter__(self):
        return iter(self.items)


def encode(value, depth=0):
    if depth > 200:
        raise Rejected("a value is nested too deeply")
    if value is None or value is True or value is False:
        return value
    below = depth + 1
    if isinstance(value, int):
        return ["i", hex(int(value))]
    if isinstance(value, float):
        return ["f", float.hex(float(value))]
    if isinstance(value, complex):
        return ["c", value.real.hex(), value.imag.hex()]
    if isinstance(value, str):
        return ["s", str.__str__(value)]
    if isinstance(value, (bytes, bytearray)):
        return ["b", bytes(value).hex()]
    for kind, tag in ((list, "l"), (tuple, "t"), (frozenset, "S"), (set, "S")):
        if isinstance(value, kind):
            return [tag, [encode(item, below) for item in value]]
    if isinstance(value, dict):
        return ["d", [[encode(key, below), encode(item, below)] for key, item in value.items()]]
    return encode_other(value, below)


def encode_other(value, depth):
    import decimal, fractions, numbers

    if isinstance(value, decimal.Decimal):
        return ["D", str(value)]
    if isinstance(value, fractions.Fraction):
        return ["Q", hex(value.numerator), hex(value.denominator)]
    if isinstance(value, numbers.Integral):
        return encode(int(value), depth)
    if isinstance(value, numbers.Real):
        return encode(float(value), depth)
    if type(value).__module__ == "numpy" and type(value).__name__ in ("bool", "bool_"):
        return bool(value)
    if hasattr(type(value), "__iter__"):
        items = []
        for item in value:
            items.append(encode(item, depth))
            if len(items) > 1000000:
                raise Rejected("an iterator has no end")
        return ["I", items]
    raise Rejected("a value of type %s is no plain value" % type(value).__name__)


def decode(value):
    if value is None or value is True or value is False:
        return value
    tag, rest = value[0], value[1:]
    if tag == "i":
        return int(rest[0], 16)
    if tag == "f":
        return float.fromhex(rest[0])
    if tag == "c":
        return complex(float.fromhex(rest[0]), float.fromhex(rest[1]))
    if tag == "s":
        return str(rest[0])
    if tag == "b":
        return bytes.fromhex(rest[0])
    if tag == "d":
        return {decode(key): decode(item) for key, item in rest[0]}
    if tag == "D":
        import decimal

        return decimal.Decimal(rest[0])
    if tag == "Q":
        import fractions

        return fractions.Fraction(int(rest[0], 16), int(rest[1], 16))
    make = {"l": list, "t": tuple, "S": set, "I": Iterable_}[tag]
    return make([decode(item) for item in rest[0]])


def send(stream, value):
    stream.write(json.dumps(value, separators=(",", ":")).encode("ascii") + b"\n")
    stream.flush()


def limit(cpu_seconds, memory_mb):
    import resource

    def lower(what, amount):
        soft, hard = resource.getrlimit(what)
        if hard != resource.RLIM_INFINITY:
            amount = min(amount, hard)
        resource.setrlimit(what, (amount, amount))

    memory = memory_mb * 1024 * 1024
    for what in ("RLIMIT_AS", "RLIMIT_DATA"):
        try:
            lower(getattr(resource, what), memory)
        except (ValueError, OSError):
            pass  # macOS refuses these.
    lower(resource.RLIMIT_CPU, cpu_seconds)
    lower(resource.RLIMIT_FSIZE, MAX_FILE)
    lower(resource.RLIMIT_CORE, 0)
    lower(resource.RLIMIT_NPROC, 0)


def reason(error):
    text = "%s: %s" % (type(error).__name__, error)
    return text.split("\n")[0][:300]


def run_candidate(asked, answers):
    task = json.loads(asked.readline())
    limit(task["cpu_seconds"], task["memory_mb"])
    module = types.ModuleType("candidate")
    sys.modules["candidate"] = module
    space = module.__dict__
    try:
        for part in task["parts"]:
            exec(compile(part, "<candidate>", "exec"), space)
        function = space[task["entry_point"]]
        send(answers, {"ready": True})
    except BaseException as error:
        send(answers, {"error": reason(error)})
        return
    for line in asked:
        try:
            call = json.loads(line)
            arguments = [decode(item) for item in call["arguments"]]
            named = {name: decode(item) for name, item in call["named"].items()}
            reply = {"value": encode(function(*arguments, **named))}
        except BaseException as error:
            reply = {"error": reason(error)}
        send(answers, reply)


class CandidateFailed(Exception):
    pass


def ask(asked, answers, message):
    try:
        send(asked, message)
        line = answers.readline(MAX_REPLY)
    except OSError:
        line = b""
    if not line.endswith(b"\n"):
        raise CandidateFailed("the candidate ended, used up its time or memory, or said too much")
    reply = json.loads(line)
    if "error" in reply:
        raise CandidateFailed(reply["error"])
    return reply


def check(task, asked, answers):
    start = {name: task[name] for name in ("parts", "entry_point", "cpu_seconds", "memory_mb")}
    ask(asked, answers, start)

    def candidate(*arguments, **named):
        message = {
            "arguments": [encode(item) for item in arguments],
            "named": {name: encode(item) for name, item in named.items()},
        }
        return decode(ask(asked, answers, message)["value"])

    space = {"__name__": "check"}
    exec(compile(task["head"], "<prompt>", "exec"), space)
    space[task["entry_point"]] = candidate
    exec(compile(task["test"], "<test>", "exec"), space)
    space["check"](candidate)


def hide():
    """Makes the memory and the open files of this process unreadable to others of the same user."""
    try:
        import ctypes

        ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)
    except Exception:
        pass  # Not Linux.


def describe(error):
    if isinstance(error, CandidateFailed):
        return str(error)
    if isinstance(error, AssertionError):
        return "a test does not hold" + (": %s" % error if str(error) else "")
    return reason(error)


def main():
    to_child, from_parent = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.setsid()
            os.close(to_child[1])
            os.close(from_parent[0])
            nothing = os.open(os.devnull, os.O_RDWR)
            for number in (0, 1, 2):
                os.dup2(nothing, number)
            run_candidate(os.fdopen(to_child[0], "rb"), os.fdopen(from_parent[1], "wb"))
            status = 0
        finally:
            os._exit(status)
    os.close(to_child[0])
    os.close(from_parent[1])
    hide()
    task = json.load(sys.stdin)
    limit(task["cpu_seconds"], task["memory_mb"])
    try:
        check(task, os.fdopen(to_child[1], "wb"), os.fdopen(from_parent[0], "rb"))
        verdict = "passed"
    except BaseException as error:
        verdict = "failed " + json.dumps(describe(error)[:300])
    try:
        os.kill(child, 9)
    except OSError:
        pass
    sys.stdout.write("\n%s %s\n" % (task["token"], verdict))
    sys.stdout.flush()
    os._exit(0)


main()
`;
