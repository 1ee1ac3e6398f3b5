"""The alert rules: each fires for what the page says it is about, and not while all is well. And the dashboard."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from api.app import create_app
from service import Settings

DOCS = Path(__file__).parents[3] / "docs"
RULES = [rule for group in yaml.safe_load((DOCS / "alerts.yml").read_text())["groups"] for rule in group["rules"]]
PANELS = json.loads((DOCS / "dashboard.json").read_text())["panels"]
TARGETS = [target for panel in PANELS for target in panel.get("targets", ())]
ROWS = re.findall(r"^\| `(Billet\w+)` \| (\w+) \|", (DOCS / "metrics.md").read_text(encoding="utf-8"), re.MULTILINE)
WELL = {
    'billet_redis_up{keeps="games"}': "1",
    'billet_redis_faults{keeps="games",fault="full"}': "0",
    'billet_redis_faults{keeps="games",fault="nearly_full"}': "0",
    'billet_processes{kind="api"}': "1",
    'billet_processes{kind="worker"}': "2",
    "billet_games_overdue": "0",
    'billet_queue_oldest_seconds{queue="turns"}': "0.2",
    'billet_queue_oldest_seconds{queue="unattended"}': "900",
    'billet_http_request_seconds_count{route="/v1/games",status="200"}': "0+5",
    'billet_http_request_seconds_count{route="/v1/games",status="503"}': "0+5",
    'billet_http_request_seconds_count{route="/v1/games/{game_id}/actions"}': "0+5",
    'billet_http_request_seconds_bucket{route="/v1/games/{game_id}/actions",le="0.1"}': "0+5",
    'billet_http_request_seconds_bucket{route="/v1/games/{game_id}/actions",le="+Inf"}': "0+5",
    'billet_bot_stand_ins_total{bot="expert"}': "0+1",
    'billet_turn_seconds_count{bot="expert"}': "0+25",
    'billet_jobs_failed_total{job="bots"}': "3",
    "billet_survey_age_seconds": "1",
    "billet_backup_timestamp_seconds": "0",
    "billet_games_not_archived": "0",
    "billet_results_late": "0",
    "billet_deals_late": "0",
    "billet_pairings_pending": "0x173 1x126",
    "billet_matches_late": "0x173 1x126",
    "billet_games_damaged": "0",
    "billet_archive_files_damaged": "0",
    "billet_archive_away": "0",
    'billet_build_info{version="1.0.0"}': "3",
}
WRONG = {
    "BilletUnwatched": None,
    "BilletRedisFault": {
        'billet_redis_faults{keeps="games",fault="full"}': "1",
        'billet_processes{kind="api"}': "0",
        'billet_processes{kind="worker"}': "0",
        "billet_games_overdue": "2",
        'billet_queue_oldest_seconds{queue="turns"}': "11",
    },
    "BilletSurveyOld": {"billet_survey_age_seconds": "31"},
    "BilletStandIns": {'billet_bot_stand_ins_total{bot="expert"}': "0+2"},
    "BilletJobsFail": {'billet_jobs_failed_total{job="bots"}': "3x150 4x150"},
    "BilletBackupOld": {"billet_backup_timestamp_seconds": "-130000"},
    "BilletRedisNearlyFull": {'billet_redis_faults{keeps="games",fault="nearly_full"}': "1"},
    "BilletPartMissing": {'billet_processes{kind="worker"}': "0"},
    "BilletGamesOverdue": {"billet_games_overdue": "2"},
    "BilletJobsWait": {'billet_queue_oldest_seconds{queue="turns"}': "11"},
    "BilletErrors": {'billet_http_request_seconds_count{route="/v1/games",status="500"}': "_x175 1+0x125"},
    "BilletResultsLate": {"billet_results_late": "1"},
    "BilletDaysLate": {"billet_deals_late": "1"},
    "BilletPairingsPending": {"billet_pairings_pending": "1"},
    "BilletMatchesLate": {"billet_matches_late": "1"},
    "BilletGameDamaged": {"billet_games_damaged": "1"},
    "BilletSlow": {
        'billet_http_request_seconds_bucket{route="/v1/games/{game_id}/actions",le="0.1"}': "0+1",
        'billet_http_request_seconds_bucket{route="/v1/games/{game_id}/actions",le="2.5"}': "0+5",
    },
    "BilletArchiveFails": {"billet_games_not_archived": "1"},
    "BilletArchiveFileDamaged": {"billet_archive_files_damaged": "1"},
    "BilletArchiveAway": {"billet_archive_away": "1"},
    "BilletVersionsMixed": {'billet_build_info{version="1.1.0"}': "1"},
}


def promtool(*words, **more):
    if shutil.which("promtool") is None:
        pytest.skip("promtool is not on the PATH: install Prometheus")
    return subprocess.run(["promtool", *words], capture_output=True, text=True, timeout=240, check=False, **more)


def test_the_page_has_a_row_for_each():
    assert [(rule["alert"], rule["labels"]["severity"]) for rule in RULES] == ROWS


@pytest.fixture
def metrics(redis_url):
    """What a real installation of one process says."""
    return create_app(Settings(redis_url=redis_url)).test_client().get("/metrics").get_data(as_text=True)


def test_they_ask_for_metrics_that_are_there(metrics):
    described = {
        name for names in re.findall(r"^# TYPE (billet_\w+) (\w+)", metrics, re.MULTILINE) for name in of(*names)
    }
    asked = {name for rule in RULES for name in re.findall(r"billet_\w+", rule["expr"])}
    assert asked <= described
    assert len(asked) > 8


def test_the_dashboard_shows_every_metric_that_is_there_and_no_other(metrics):
    kinds = re.findall(r"^# TYPE (billet_\w+) (\w+)", metrics, re.MULTILINE)
    shown = {
        name for target in TARGETS for name in re.findall(r"(?:billet|process)_[a-z_]+(?=[ {\[)]|$)", target["expr"])
    }
    wanted = {f"{name}_bucket" if kind == "histogram" else name for name, kind in kinds}
    counted = {"billet_http_request_seconds_count"}
    assert {name for name in shown if name.startswith("billet")} == wanted | counted
    assert {name for name in shown if not name.startswith("billet")} <= set(
        re.findall(r"^(\w+) ", metrics, re.MULTILINE)
    )


def test_the_dashboard_is_sound_and_prometheus_understands_what_it_asks(tmp_path):
    assert len({panel["id"] for panel in PANELS}) == len(PANELS)
    places = {(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in PANELS}
    assert len(places) == len(PANELS)
    rules = [{"record": f"asked:{place}", "expr": target["expr"]} for place, target in enumerate(TARGETS)]
    (tmp_path / "rules.yml").write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": rules}]}))
    done = promtool("check", "rules", str(tmp_path / "rules.yml"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(TARGETS)} rules found" in done.stdout


def of(name, kind):
    """Returns the names of a metric's series."""
    return [f"{name}_{part}" for part in ("bucket", "count", "sum")] if kind == "histogram" else [name]


def test_prometheus_reads_the_metrics(metrics):
    done = promtool("check", "metrics", input=metrics)
    assert done.returncode == 0, done.stdout + done.stderr


def test_each_fires_when_it_should_and_is_silent_when_all_is_well(tmp_path):
    def case(name, wrong):
        series = {} if wrong is None else WELL | wrong
        fired = {rule["alert"]: [] for rule in RULES}
        return {
            "name": name,
            "interval": "5s",
            "input_series": [
                {"series": one, "values": values if "x" in values else f"{values}{'' if '+' in values else '+0'}x300"}
                for one, values in series.items()
            ],
            "promql_expr_test": [
                {
                    "expr": f'count(ALERTS{{alertname="{alert}",alertstate="firing"}})',
                    "eval_time": "15m",
                    "exp_samples": [{"labels": "{}", "value": 1}] if alert == name else [],
                }
                for alert in fired
            ],
        }

    queues = {'billet_redis_faults{keeps="queues",fault="away"}': "1", "billet_games_overdue": "2"}
    route = 'route="/v1/games/{game_id}/actions"'
    few = {  # all of them slow, but only 12 in five minutes
        f'billet_http_request_seconds_bucket{{{route},le="0.1"}}': "0",
        f'billet_http_request_seconds_bucket{{{route},le="2.5"}}': "0+0.2",
        f'billet_http_request_seconds_bucket{{{route},le="+Inf"}}': "0+0.2",
        f"billet_http_request_seconds_count{{{route}}}": "0+0.2",
    }
    cases = [("well", {}), ("well", few), ("BilletRedisFault", queues), *WRONG.items()]
    tests = [case(name, wrong) for name, wrong in cases]
    file = {"rule_files": [str(DOCS / "alerts.yml")], "evaluation_interval": "15s", "tests": tests}
    (tmp_path / "tests.yml").write_text(yaml.safe_dump(file))
    done = promtool("test", "rules", str(tmp_path / "tests.yml"))
    assert done.returncode == 0, done.stdout + done.stderr
    assert set(WRONG) == {rule["alert"] for rule in RULES}
