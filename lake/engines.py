"""One class per engine: registers the tables of a store under their names, and runs one SELECT.

What differs between engines stands here: how files are named and read as one table, how a column that a file lacks becomes
NULL, and how the name of the experiment comes out of a file's path. The SQL of the questions is the same for all.
"""
import os
import pathlib
import sys

ENGINES = {}


class EngineError(Exception):
    """The engine is not installed, or it refused."""


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def engine(kind):
    ENGINES[kind.NAME] = kind
    return kind


@engine
class DuckDb:
    NAME, MODULE, INSTALL = "duckdb", "duckdb", "pip install duckdb"

    def __init__(self, threads=None):
        import duckdb
        self.connection_ = duckdb.connect(config={"threads": threads} if threads else {})
        self.reaches_s3_ = False

    def bind(self, table):
        empty = ", ".join(f"NULL::{kind} AS {name}" for name, kind in [(label, "VARCHAR") for label in table.labels] + table.columns)
        if not table.files:
            self.connection_.execute(f"CREATE OR REPLACE VIEW {table.name} AS SELECT {empty} WHERE false")
            return
        if table.files[0].startswith("s3://") and not self.reaches_s3_:
            self.reach_s3()
        files = f"read_parquet([{', '.join(quoted(file) for file in table.files)}], union_by_name = true, filename = true)"
        present = {row[0] for row in self.connection_.execute(f"DESCRIBE FROM {files}").fetchall()}
        labels = [f"split_part(filename, '/', {-1 - len(table.labels) + index}) AS {label}" for index, label in enumerate(table.labels)]
        columns = [name if name in present else f"NULL::{kind} AS {name}" for name, kind in table.columns]
        self.connection_.execute(f"CREATE OR REPLACE VIEW {table.name} AS SELECT {', '.join(labels + columns)} FROM {files}")

    def reach_s3(self):
        """By the extension httpfs: of the package duckdb-extension-httpfs, else as DuckDB fetches it."""
        try:
            import duckdb_extension_httpfs
            file = next(pathlib.Path(duckdb_extension_httpfs.__file__).parent.rglob("httpfs.duckdb_extension"))
            self.connection_.execute(f"LOAD {quoted(str(file))}")
        except ImportError:
            self.connection_.execute("INSTALL httpfs; LOAD httpfs")
        options = {"KEY_ID": os.environ.get("AWS_ACCESS_KEY_ID"), "SECRET": os.environ.get("AWS_SECRET_ACCESS_KEY"),
                   "SESSION_TOKEN": os.environ.get("AWS_SESSION_TOKEN"), "REGION": os.environ.get("AWS_REGION")}
        endpoint = os.environ.get("AWS_ENDPOINT_URL")
        if endpoint:
            options |= {"ENDPOINT": endpoint.split("://")[-1].rstrip("/"), "URL_STYLE": "path"}
        given = "".join(f", {name} {quoted(value)}" for name, value in options.items() if value)
        provider = "" if options["KEY_ID"] else ", PROVIDER credential_chain"
        encrypted = ", USE_SSL false" if (endpoint or "").startswith("http://") else ""
        self.connection_.execute(f"CREATE SECRET (TYPE s3{provider}{given}{encrypted})")
        self.reaches_s3_ = True

    def ask(self, sql):
        done = self.connection_.execute(sql)
        return [column[0] for column in done.description], done.fetchall()

    def close(self):
        self.connection_.close()


@engine
class Polars:
    NAME, MODULE, INSTALL = "polars", "polars", "pip install polars"

    def __init__(self, threads=None):
        if threads and "polars" not in sys.modules:
            os.environ["POLARS_MAX_THREADS"] = str(threads)
        import polars
        self.polars_ = polars
        self.context_ = polars.SQLContext()

    def bind(self, table):
        pl = self.polars_
        types = {"BIGINT": pl.Int64, "DOUBLE": pl.Float64, "VARCHAR": pl.String, "BOOLEAN": pl.Boolean}
        schema = {name: types[kind] for name, kind in table.columns}
        if not table.files:
            frame = pl.LazyFrame(schema={**dict.fromkeys(table.labels, pl.String), **schema})
        else:
            frame = pl.scan_parquet(table.files, schema=schema, missing_columns="insert", extra_columns="ignore",
                                    include_file_paths="file path", glob=False)
            folders = pl.col("file path").str.split("/")
            frame = frame.with_columns(**{label: folders.list.get(-1 - len(table.labels) + index)
                                          for index, label in enumerate(table.labels)}).drop("file path")
        self.context_.register(table.name, frame)

    def ask(self, sql):
        done = self.context_.execute(sql).collect(engine="streaming")
        return done.columns, done.rows()

    def close(self):
        pass


@engine
class ClickHouse:
    NAME, MODULE, INSTALL = "clickhouse", "chdb", "pip install chdb-core"
    TYPES = {"BIGINT": "Int64", "DOUBLE": "Float64", "VARCHAR": "String", "BOOLEAN": "Bool"}
    # As in the SQL standard: what a join lacks is NULL, a CAST keeps NULL, a name is a column before it is an alias.
    SETTINGS = ("join_use_nulls = 1, cast_keep_nullable = 1, prefer_column_name_to_alias = 1, "
                "input_format_parquet_allow_missing_columns = 1, max_query_size = 100000000, "
                # Joins in the order in which they stand: without statistics of files it would build the table of the spans.
                "query_plan_join_swap_table = false, query_plan_optimize_join_order_limit = 0")

    def __init__(self, threads=None):
        from chdb import session
        self.session_ = session.Session()
        self.session_.query(f"SET {self.SETTINGS}" + (f", max_threads = {threads}" if threads else ""))

    def bind(self, table):
        columns = ", ".join(f"{name} Nullable({self.TYPES[kind]})" for name, kind in table.columns)
        labels = [f"splitByChar('/', _path)[{-1 - len(table.labels) + index}] AS {label}" for index, label in enumerate(table.labels)]
        names = ", ".join(labels + [name for name, _ in table.columns])
        if not table.files:
            empty = ", ".join(f"{label} Nullable(String)" for label in table.labels) + ", " + columns
            self.session_.query(f"CREATE OR REPLACE VIEW {table.name} AS SELECT * FROM null({quoted(empty)})")
            return
        self.session_.query(f"CREATE OR REPLACE VIEW {table.name} AS SELECT {names} FROM {self.source(table, columns)}")

    def source(self, table, columns):
        """The files by a pattern, and those of it that are wanted by a condition on their paths, which excludes the others before
        they are opened: a list of a thousand paths is no pattern."""
        *folders, name = table.files[0].split("/")
        if not table.labels:
            return f"file({quoted(table.files[0])}, Parquet, {quoted(columns)})"
        pattern = "/".join(folders[:-len(table.labels)] + ["*"] * len(table.labels) + [name])
        if not pattern.startswith("s3://"):
            found = f"file({quoted(pattern)}, Parquet, {quoted(columns)})"
            paths = table.files
        else:
            endpoint = os.environ.get("AWS_ENDPOINT_URL", "https://s3.amazonaws.com").rstrip("/")
            found = f"s3({quoted(endpoint + '/' + pattern.removeprefix('s3://'))}, Parquet, {quoted(columns)})"
            paths = [file.removeprefix("s3://") for file in table.files]
        return f"{found} WHERE _path IN ({', '.join(quoted(path) for path in paths)})"

    def ask(self, sql):
        import io

        import pyarrow.ipc
        answer = self.session_.query(sql, "ArrowStream").bytes()
        table = pyarrow.ipc.open_stream(io.BytesIO(answer)).read_all()
        return table.column_names, list(zip(*(column.to_pylist() for column in table.columns), strict=True))

    def close(self):
        self.session_.close()


@engine
class Spark:
    NAME, MODULE, INSTALL = "spark", "pyspark", "pip install pyspark, and a Java 17 runtime (Debian: openjdk-17-jre-headless)"

    def __init__(self, threads=None):
        import shutil
        if not os.environ.get("JAVA_HOME") and not shutil.which("java"):
            raise EngineError(f"Spark needs Java: {self.INSTALL}")
        from pyspark.sql import SparkSession
        settings = {"spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
                    "spark.driver.memory": "4g", "spark.sql.shuffle.partitions": 8, "spark.log.level": "ERROR",
                    "spark.ui.showConsoleProgress": "false", "spark.hadoop.fs.s3a.endpoint": os.environ.get("AWS_ENDPOINT_URL", ""),
                    "spark.hadoop.fs.s3a.path.style.access": "true"}
        builder = SparkSession.builder.master(f"local[{threads or '*'}]").appName("XSP lake")
        for key, value in settings.items():
            if value != "":
                builder = builder.config(key, value)
        self.session_ = builder.getOrCreate()

    def bind(self, table):
        from pyspark.sql import functions
        schema = ", ".join(f"{name} {'STRING' if kind == 'VARCHAR' else kind}" for name, kind in table.columns)
        if not table.files:
            labels = "".join(f"{label} STRING, " for label in table.labels)
            frame = self.session_.createDataFrame([], labels + schema)
        else:
            files = [file.replace("s3://", "s3a://", 1) if file.startswith("s3://") else f"file://{file}" for file in table.files]
            frame = self.session_.read.schema(schema).parquet(*files)
            # A path is encoded as in an address.
            path = functions.expr("url_decode(replace(_metadata.file_path, '+', '%2B'))")
            folders = functions.split(path, "/")
            labels = [functions.element_at(folders, -1 - len(table.labels) + index).alias(label) for index, label in enumerate(table.labels)]
            frame = frame.select(*labels, *(name for name, _ in table.columns))
        frame.createOrReplaceTempView(table.name)

    def ask(self, sql):
        frame = self.session_.sql(sql)
        return frame.columns, [tuple(row) for row in frame.collect()]

    def close(self):
        self.session_.stop()


def start(name, threads=None):
    """The engine `name`, ready to bind. Raises EngineError with the command that installs it."""
    kind = ENGINES[name]
    try:
        __import__(kind.MODULE)
    except ImportError as error:
        raise EngineError(f"{name} is not installed for this Python ({error}): {kind.INSTALL}") from error
    return kind(threads)
