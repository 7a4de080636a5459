"""Says of each request in a file whether it is accepted: python3 vectors.py FILE"""

import json
import sys
from pathlib import Path
from typing import List

from shingle_client import WebhookVerificationError, verify_webhook

said: List[str] = []
for given in json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")):
    try:
        event = verify_webhook(given["body"], given["headers"], given["secret"], now=given.get("now"))
        environment = {"HTTP_" + name.upper().replace("-", "_"): value for name, value in given["headers"].items()}
        same = verify_webhook(given["body"].encode(), environment, given["secret"], now=given.get("now"))
        said.append("accepted" if event == same else "bytes and text differ")
    except WebhookVerificationError:
        said.append("refused")
print(json.dumps(said))
