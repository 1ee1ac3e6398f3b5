"""flask-smorest's blueprint, with one decorator that binds a view to the request and documents it.

`arguments` and `response` of flask-smorest would take a tenth of an action (`request/binding.py`), and `response` would
encode anew what the service has encoded.
"""

from collections.abc import Callable, Sequence

import flask_smorest

from api.document.operations import Reply, described, described_path
from api.request.arguments import Body
from api.request.binding import Arguments, TokenUse, View, bind_arguments
from api.request.limits import LimitBucket
from api.request.threads import Runs, runs_in
from api.schemas.fields.base import Query


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]  # flask-smorest is not typed
    """The operations of one tag."""

    def operation(
        self,
        method: str,
        rule: str,
        operation_id: str,
        *replies: Reply,
        token: TokenUse,
        refusals: Sequence[str] = (),
        headers: Sequence[str] = (),
        query: Query | None = None,
        body: Body | None = None,
        bucket: LimitBucket | None = None,
        runs: Runs | None = None,
        whole: bool = True,
    ) -> Callable[[View], View]:
        """Registers a view function as the document's operation; passes it the `token`, `query` and `body` it names.

        `refusals` are the problem codes specific to the operation; codes that follow from its arguments are added.
        `headers` names its own request headers; those that its replies depend on are added, such as `Accept-Language`.
        `bucket` is the rate limit that counts the call: by default reading or acting, by its method, and none outside
        `/v1`. `runs` says where calls run that take long. `whole` says whether it refuses a damaged game.
        """
        by_method: LimitBucket = "reading" if method == "GET" else "acting"
        arguments = Arguments(token, query, body, (bucket or by_method) if rule.startswith("/v1/") else None)

        def decorate(view: View) -> View:
            bound = bind_arguments(view, arguments)
            if runs is not None:
                bound = runs_in(runs)(bound)
            if body is not None and body.may_be_long:
                bound.has_long_body = True  # type: ignore[attr-defined]  # where the server looks
            about = described(
                view, rule, operation_id, replies, arguments, refusals=refusals, headers=headers, whole=whole
            )
            bound._apidoc = about  # type: ignore[attr-defined]  # where flask-smorest looks
            self.add_url_rule(rule, view.__name__, bound, methods=[method], parameters=described_path(rule))
            return view

        return decorate
