"""Spark SQL, in a Java process that PySpark starts."""

from __future__ import annotations

import atexit
import os
import shutil
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from scrutable.errors import PluginError
from scrutable.plugins import library
from scrutable.proof import execute
from scrutable.writing import temporary_folder
from scrutable_sql.engines.base import Engine
from scrutable_sql.engines.table import Columns, Table
from scrutable_sql.quoting import qualified


@dataclass(frozen=True, slots=True)
class Spark(Engine):
    """The session that is there, or a new one that listens on no network but the machine's own.

    The statements only project, so that rows keep their order: it is that of the partitions.
    """

    master: str = "local[1]"

    def run(self, text: str, table: Table) -> Columns:
        session = self.session()
        made: list[str] = []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # PySpark's, of pandas
            loaded = session.createDataFrame(table.arrow()).toDF(*(key for key, _, _ in table.all_columns()))
            # rows of the driver would be worked out by the optimizer, one by one, instead of by the engine
            rows = loaded.localCheckpoint()
            try:
                if table.plain:
                    made.append(f"VIEW {table.quoted}")
                    rows.createTempView(table.quoted)
                else:
                    for schema in table.schemas():
                        session.sql(f"CREATE DATABASE {schema}")
                        made.append(f"DATABASE {schema}")
                    rows.write.saveAsTable(table.quoted)
                    made.append(f"TABLE {table.quoted}")
                result = table.select(text, partial(self._executed, session, table, made)).toArrow()
            finally:
                for thing in reversed(made):
                    session.sql(f"DROP {thing}")
        return [column.to_numpy() for column in result.itercolumns()]

    def _executed(self, session: Any, table: Table, made: list[str], text: str) -> Any:
        """The result of a text; what the first one creates is noted when it is there, since the name could be taken."""
        result = execute(session, text)
        created = table.options.created
        if created is not None:
            thing = f"{table.options.form.upper()} {qualified(created, table.options.target)}"
            made += [thing] if thing not in made else []
        return result

    @contextmanager
    def connected(self) -> Iterator[Any]:
        """The session, which stays open for others."""
        yield self.session()

    def version(self) -> str:
        return f"Spark {self.session().version}"

    def session(self) -> Any:
        """The session, started if need be.

        Raises
        ------
        PluginError : PySpark or Java is not installed.
        """
        sessions = library("pyspark.sql", "pyspark").SparkSession
        active = sessions.getActiveSession()
        if active is not None:
            return active
        if not os.environ.get("JAVA_HOME") and shutil.which("java") is None:
            raise PluginError(
                "Java is not installed, or not on the path",
                where="engine spark",
                fix="install it (on Debian or Ubuntu: apt-get install default-jre-headless), or name its folder in the "
                "environment variable JAVA_HOME",
            )
        end = ExitStack()
        atexit.register(end.close)
        warehouse = end.enter_context(temporary_folder())
        settings = {
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.host": "127.0.0.1",
            "spark.sql.warehouse.dir": str(warehouse),
            "spark.log.level": "ERROR",
        }
        return sessions.builder.master(self.master).appName("scrutable").config(map=settings).getOrCreate()
