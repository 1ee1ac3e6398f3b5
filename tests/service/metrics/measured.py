"""What an installation has measured, for tests: values by the name and the labels of a sample."""

from prometheus_client.samples import Sample

from service import Service


def measured(service: Service) -> dict[str, float]:
    """Returns all sums that are not zero, as this process reads them; buckets are left out."""
    service.totals.report()
    samples = [sample for metric in service.totals.read(service.totals.processes()) for sample in metric.samples]
    return {_name(one): one.value for one in samples if one.value and not one.name.endswith("_bucket")}


def _name(sample: Sample) -> str:
    return " ".join([sample.name.removeprefix("billet_"), *(value for _, value in sorted(sample.labels.items()))])
