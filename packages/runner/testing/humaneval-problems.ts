import type { HumanEvalRow } from "../src/benchmark/humaneval/row.ts";

const CLAMP: HumanEvalRow = {
  task_id: "Own/clamp",
  entry_point: "clamp",
  prompt:
    'def clamp(value: int, low: int, high: int) -> int:\n    """ The number of low..high that is nearest to value. """\n',
  canonical_solution: "    return max(low, min(value, high))\n",
  test: "def check(candidate):\n    assert candidate(5, 0, 3) == 3\n    assert candidate(-1, 0, 3) == 0\n    assert candidate(2, low=0, high=3) == 2\n",
};

/** Eight problems in the format of HumanEval, one for each thing that a program may need. */
export const PROBLEMS: readonly HumanEvalRow[] = [
  CLAMP,
  {
    task_id: "Own/second-difference",
    entry_point: "second_difference",
    prompt:
      'from typing import List\n\n\ndef difference(numbers: List[int]) -> List[int]:\n    return [b - a for a, b in zip(numbers, numbers[1:])]\n\n\ndef second_difference(numbers: List[int]) -> List[int]:\n    """ Differences of the differences. """\n',
    canonical_solution: "    return difference(difference(numbers))\n",
    test: "def check(candidate):\n    assert candidate([1, 4, 9]) == [2]\n    assert candidate([1]) == []\n    assert candidate([0, 1, 3, 6]) == difference(difference([0, 1, 3, 6]))\n",
  },
  {
    task_id: "Own/letters",
    entry_point: "letters",
    prompt: 'def letters(text):\n    """ How often each letter occurs. >>> letters("aä") == {"a": 1, "ä": 1} """\n',
    canonical_solution: "    from collections import Counter\n    return Counter(c for c in text if c.isalpha())\n",
    test: "def check(candidate):\n    assert candidate('aä a!') == {'a': 2, 'ä': 1}\n    assert candidate('') == {}\n",
  },
  {
    task_id: "Own/bounds",
    entry_point: "bounds",
    prompt: 'def bounds(numbers):\n    """ (least, greatest), or None without numbers. """\n',
    canonical_solution: "    return (min(numbers), max(numbers)) if numbers else None\n",
    test: "METADATA = {}\n\n\ndef check(candidate):\n    assert candidate([3, 1, 2]) == (1, 3)\n    assert candidate([]) is None\n    assert candidate([10 ** 400, 0.5])[0] == 0.5\n    assert candidate([float('-inf'), 1]) == (float('-inf'), 1)\n",
  },
  {
    task_id: "Own/squares",
    entry_point: "squares",
    prompt: 'def squares(limit):\n    """ Squares below limit, each once, in any order. """\n',
    canonical_solution: "    n = 0\n    while n * n < limit:\n        yield n * n\n        n += 1\n",
    test: "def check(candidate):\n    assert tuple(candidate(10)) == (0, 1, 4, 9)\n    assert set(candidate(0)) == set()\n    assert tuple(candidate(2)) == tuple(squares(2))\n",
  },
  {
    task_id: "Own/unique",
    entry_point: "unique",
    prompt: 'def unique(items):\n    """ The set of the items. """\n',
    canonical_solution: "    return set(items)\n",
    test: "def check(candidate):\n    assert candidate([(1, 2), (1, 2), 'a', 1.5, b'x']) == {(1, 2), 'a', 1.5, b'x'}\n",
  },
  {
    task_id: "Own/share",
    entry_point: "share",
    prompt: 'def share(part, whole):\n    """ part / whole as a fraction; ZeroDivisionError for a whole of 0. """\n',
    canonical_solution: "    from fractions import Fraction\n    return Fraction(part, whole)\n",
    test: "def check(candidate):\n    assert candidate(1, 4) == 0.25\n    try:\n        candidate(1, 0)\n    except Exception:\n        pass\n    else:\n        assert False, 'nothing was raised'\n",
  },
  {
    task_id: "Own/depth",
    entry_point: "depth",
    prompt: 'def depth(text):\n    """ Deepest nesting of parentheses. """\n',
    canonical_solution:
      "    level = deepest = 0\n    for c in text:\n        level += {'(': 1, ')': -1}.get(c, 0)\n        deepest = max(deepest, level)\n    return deepest\n",
    test: "def check(candidate):\n    assert candidate('(()())') == 2\n    assert candidate('') == 0\n    assert not candidate('x')\n",
  },
];

export const PROBLEMS_TEXT = PROBLEMS.map((problem) => `${JSON.stringify(problem)}\n`).join("");
