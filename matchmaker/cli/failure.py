"""What commands say when they fail."""


def sentence(error: BaseException) -> str | None:
    """What to tell about a failure that is a fact of life; None for a defect, which keeps its traceback."""
    from matchmaker.config import SettingsError
    from matchmaker.errors import MatchmakerError
    from matchmaker.store.connect import UNAVAILABLE

    match error:
        case KeyboardInterrupt():
            return "interrupted"
        case MatchmakerError():
            return error.detail
        case SettingsError():
            return str(error)
        case UnicodeEncodeError():
            return "what was typed is not UTF-8"
        case OSError(strerror=str(reason), filename=str(name)):
            return f"{name}: {reason}"
        case OSError():
            return str(error)
    return f"the store does not answer: {error}" if isinstance(error, UNAVAILABLE) else None
