# Part of heddle, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Answers what heddle asks on standard output: tuner_client.py PROTOCOL COMMAND...

PROTOCOL is lines or baco; wrong-lines and wrong-baco answer the second question wrongly. Prints
the number of questions, then what heddle wrote to standard error at its end.
"""

import json
import subprocess
import sys

protocol, command = sys.argv[1], sys.argv[2:]
heddle = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
questions = 0
for line in heddle.stdout:
    if line.startswith("End of HyperMapper"):
        break
    questions += 1
    if protocol.endswith("lines"):
        point = json.loads(line)["point"]
        answer = json.dumps({"value": point["a"] + point["b"]})
        if protocol.startswith("wrong") and questions == 2:
            answer = "{}"
    else:
        assert line == "Request 1\n", line
        names, row = heddle.stdout.readline().strip(), heddle.stdout.readline().strip()
        a, b = row.split(",")
        answer = f"{names},value,Valid\n{row},{int(a) + int(b)},True"
        if protocol.startswith("wrong") and questions == 2:
            answer = f"{names},value\n{row},3"
    heddle.stdin.write(answer + "\n")
    heddle.stdin.flush()
heddle.stdin.close()
said = heddle.stderr.read().strip().splitlines()
print(f"{questions} questions")
print(said[-1])
