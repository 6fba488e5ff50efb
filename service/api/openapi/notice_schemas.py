"""The components of notices: one for each kind, and their union, which ``type`` tells apart."""

from service.api.json_schema import Schemas, enumeration
from service.api.type_names import camel
from service.inbox.resources import DATA, NoticeResource

_NOTICE = "Notice"


def add_notices(schemas: Schemas) -> None:
    schemas.reserve(NoticeResource, _NOTICE)
    members: dict[str, str] = {}
    for kind, (data, description) in DATA.items():
        members[kind] = f"{camel(kind)}{_NOTICE}"
        schema = schemas.whole(NoticeResource, given={"type": enumeration((kind,)), "data": schemas.of(data)})
        schemas.add(members[kind], schema | {"description": description})
    schemas.add_union(_NOTICE, "An event in one of your games.", "type", members)
