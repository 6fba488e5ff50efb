"""Which addresses can have mails: one mailbox each, of the form that every mail server takes."""

from email_validator import EmailNotValidError, validate_email


def checked(text: str) -> str:
    """Return an address in the form to send to; raise ``ValueError`` with what is wrong with it."""
    try:
        found = validate_email(text, allow_smtputf8=False, check_deliverability=False, strict=True)
    except EmailNotValidError as error:
        raise ValueError(f"not a mail address: {error}") from error
    return found.ascii_email or found.normalized


def mailbox(address: str) -> str:
    """Return what addresses of one mailbox usually share: limits count it, so that ``ada+1@…`` is no way around."""
    name, _, domain = address.rpartition("@")
    return f"{name.partition('+')[0]}@{domain}".lower()
