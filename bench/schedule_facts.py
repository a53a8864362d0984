# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What can be read off a schedule, for bench/schedules.py."""


def operations(answer):
    """Name, index, unit and process of each operation, with its times."""
    solution, problem = answer.solution, answer.problem
    execution = solution["execution"] or solution["start"]
    for index, operation in enumerate(problem["operations"]):
        yield {**operation, "index": index, "issued": solution["start"][index], "taken": execution[index],
               "done": execution[index] + operation["latency"], "process": solution["process"][index],
               "unit": problem["units"][operation["unit"]]["name"]}


def products(answer):
    """Those of the tensor core, in the order of an interval that begins with one of sub-tile 0."""
    ii = answer.interval
    found = sorted((op for op in operations(answer) if op["unit"] == "tensor"), key=lambda op: op["taken"] % ii)
    first = min(range(len(found)), key=lambda i: found[i]["index"])
    return found[first:] + found[:first]


def overlaps(answer):
    """By sub-tile: is a product of an iteration issued before one of the iteration before
    that belongs to the same process is done?"""
    ii, found = answer.interval, {}
    for early in products(answer):
        for late in products(answer):
            if early["sub"] == late["sub"] and early["index"] != late["index"]:
                found.setdefault(early["sub"], False)
                found[early["sub"]] |= early["issued"] + ii < late["done"]
    return found


def gap(answer):
    if answer.found["refuted"]:
        return "refuted"
    if not answer.solution:
        return "open"
    return "optimal" if answer.interval == answer.found["bound"] else "not proved optimal"


def optimality(answer):
    return gap(answer)


def overlap(answer):
    if not answer.solution:
        return gap(answer)
    sub_tiles = overlaps(answer)
    count = sum(sub_tiles.values())
    words = {0: "no sub-tile overlaps", len(sub_tiles): "each sub-tile overlaps"}.get(
        count, "%d of %d sub-tiles overlap" % (count, len(sub_tiles)))
    return "%s; %s products of two iterations" % (gap(answer), words)


def work_of(answer, process):
    """What a process does, by unit and sub-tile."""
    kinds = set()
    for op in operations(answer):
        if op["process"] == process and (op["unit"] == "tensor" or op["issue"] * 16 > answer.interval):
            kinds.add((op["name"].rsplit(".", 1)[0] if op["sub"] >= 0 else op["name"], op["sub"]))
    return kinds


def roles(answer):
    """Who works for which sub-tiles, without what comes in few cycles."""
    if not answer.solution:
        return gap(answer)
    own = shared = 0
    for process in range(len(answer.solution["processes"])):
        subs = {op["sub"] for op in operations(answer)
                if op["process"] == process and op["unit"] in ("alu", "special") and op["issue"] * 16 > answer.interval}
        own += len(subs) == 1
        shared += len(subs) > 1
    return "%d processes: %d for one sub-tile each, %d for several, the rest issue" % (
        len(answer.solution["processes"]), own, shared)


def refutation(answer):
    """With what margin: the least interval that the refuted division can issue."""
    if not answer.found["refuted"]:
        return gap(answer)
    return "refuted"


def bindings(answers):
    return "".join("- %s: %s.\n" % (name, answer.found["because"].replace("'", "`")) for name, answer in answers)


def division(answer):
    """The processes of a schedule and what each does, as a table."""
    if not answer.solution:
        return "none was found\n"
    lines = ["| process | registers | busy | operations of some length |", "|---|--:|--:|---|"]
    for index, process in enumerate(answer.solution["processes"]):
        mine = [op for op in operations(answer) if op["process"] == index]
        long = [op["name"] for op in mine if op["unit"] in ("tensor", "tma") or op["issue"] * 32 > answer.interval]
        lines.append("| %s | %d | %d %% | %s |" % (process["name"], process["registers"],
                                                   100 * sum(op["issue"] for op in mine) // answer.interval,
                                                   ", ".join("`%s`" % name for name in long)))
    return "\n".join(lines) + "\n"


# FlashAttention-3 (arXiv 2407.08608, algorithm 2 and section 3.1): a group issues the next
# scores, then the weighted sum, waits for the scores, and lets the other group in when both
# are issued. S is the first product of an iteration, O the second.
FLASH_ATTENTION_3 = {
    "order on the tensor core": "S.0 O.0 S.1 O.1",
    "owner changes an interval": "2",
    "sub-tiles that issue S(n+1) before O(n) is done": "all",
    "of S(n+1) and O(n), issued first": "S",
}


def facts_of_attention(answer):
    ii = answer.interval
    order = products(answer)
    first = {op["sub"]: min(o["index"] for o in order if o["sub"] == op["sub"]) for op in order}
    name = lambda op: ("S" if op["index"] == first[op["sub"]] else "O") + ".%d" % op["sub"]
    sub_tiles = overlaps(answer)
    ahead = set()
    for sub in sub_tiles:
        scores, sums = sorted((op for op in order if op["sub"] == sub), key=lambda op: op["index"])
        # O of the iteration whose S was the last but one.
        ahead.add("S" if scores["issued"] + ii < sums["issued"] else "O")
    count = sum(sub_tiles.values())
    return {
        "order on the tensor core": " ".join(map(name, order)),
        "owner changes an interval": "%d" % answer.found["ownerChanges"],
        "sub-tiles that issue S(n+1) before O(n) is done": "all" if count == len(sub_tiles) else "%d of %d" % (count, len(sub_tiles)),
        "of S(n+1) and O(n), issued first": " and ".join(sorted(ahead)),
    }


def beside_flash_attention(*answers):
    """The schedules with and without slack beside FlashAttention-3's, and the differences named."""
    columns = [facts_of_attention(answer) for answer in answers] + [FLASH_ATTENTION_3]
    heads = ["with the slack goal", "without it", "FlashAttention-3"]
    lines = ["| | " + " | ".join(heads) + " |", "|---|---|---|---|"]
    for fact in FLASH_ATTENTION_3:
        lines.append("| %s | " % fact + " | ".join(column[fact] for column in columns) + " |")
    lines.append("| slack at the tensor core, cycles | " + " | ".join("%d" % a.found["slack"] for a in answers) + " | not stated |")
    text = "\n".join(lines) + "\n\n"
    for head, column in zip(heads, columns[:-1]):
        different = ["%s is %s there and %s here" % (fact, FLASH_ATTENTION_3[fact], column[fact])
                     for fact in FLASH_ATTENTION_3 if column[fact] != FLASH_ATTENTION_3[fact]]
        text += "%s, the differences: %s.\n\n" % (head.capitalize(), "; ".join(different) or "none")
    text += "Spare time of the tensor core in an interval: %s cycles.\n" % " and ".join(
        "%d" % (a.interval - sum(op["reservation"] for op in products(a))) for a in answers)
    return text
