"""What the client says when the server has had too many requests: python3 too_many.py URL KEY [async]"""

import asyncio
import json
import sys

from shingle_client import AsyncShingle, RateLimitError, Shingle


def sync() -> None:
    with Shingle(sys.argv[1], sys.argv[2], max_retry_delay=0) as shingle:
        for _ in range(100):
            shingle.leads.list()


async def asynchronous() -> None:
    async with AsyncShingle(sys.argv[1], sys.argv[2], max_retry_delay=0) as shingle:
        for _ in range(100):
            await shingle.leads.list()


try:
    asyncio.run(asynchronous()) if "async" in sys.argv else sync()
except RateLimitError as error:
    print(json.dumps({"error": "RateLimit", "retryAfter": error.retry_after, "message": str(error)}))
