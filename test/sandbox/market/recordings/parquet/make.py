"""Writes the Parquet files of the tests: two minutes of one share, as programs write them."""
import datetime as dt
import os
import sys
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq

OUT = sys.argv[1]
IST = dt.timezone(dt.timedelta(hours=5, minutes=30))
FIRST = dt.datetime(2020, 3, 13, 9, 15)
TIMES = [FIRST, FIRST + dt.timedelta(minutes=1)]
PRICES = {"open": [600.0, 600.5], "high": [601.0, 602.0], "low": [599.5, 600.0], "close": [600.5, 601.0]}


def write(name, table, **options):
    pq.write_table(pa.table(table), os.path.join(OUT, name), **options)


LOCAL = {"timestamp": pa.array(TIMES, pa.timestamp("ns")), **PRICES, "volume": pa.array([10, 20], pa.int64())}
for codec in ["none", "snappy", "gzip", "zstd", "brotli", "lz4"]:
    write(f"INFY_{codec}.parquet", LOCAL, compression=codec, write_statistics=False)
write("INFY_utc.parquet", {**LOCAL, "timestamp": pa.array([t.replace(tzinfo=IST) for t in TIMES], pa.timestamp("us", tz="Asia/Kolkata"))})
write("INFY_date-and-time.parquet", {
    "date": pa.array([t.date() for t in TIMES]), "time": pa.array([t.time() for t in TIMES], pa.time64("us")),
    **{k: pa.array([Decimal(str(x)).quantize(Decimal("0.01")) for x in v], pa.decimal128(12, 2)) for k, v in PRICES.items()},
    "volume": pa.array([10.0, 20.0])})
write("INFY_pages-of-version-2.parquet", {"symbol": ["INFY", "INFY"], **LOCAL, "tags": [["a"], ["b", "c"]]},
      data_page_version="2.0", use_dictionary=["symbol"], compression="zstd", row_group_size=1)
write("INFY_seconds.parquet", {**LOCAL, "timestamp": pa.array([int(t.replace(tzinfo=IST).timestamp()) for t in TIMES], pa.int64())})
write("INFY_int96.parquet", LOCAL, use_deprecated_int96_timestamps=True)
write("INFY_no-volume.parquet", {**LOCAL, "volume": pa.array([None, None], pa.float64())})
write("INFY_null.parquet", {**LOCAL, "close": pa.array([600.5, None], pa.float64())})
