"""MLflow tells nobody of these tests; it asks for that as it is imported."""

import os

os.environ["MLFLOW_DISABLE_TELEMETRY"] = "true"
