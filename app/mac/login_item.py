"""How does the app start at login? SMAppService: the person sees and can undo it in Settings."""

from ServiceManagement import (
    SMAppService,
    SMAppServiceStatusEnabled,
    SMAppServiceStatusRequiresApproval,
)

from engine.errors import DesktopError


def is_enabled() -> bool:
    """Will the app start at login?"""
    return bool(SMAppService.mainAppService().status() == SMAppServiceStatusEnabled)


def set_enabled(wanted: bool) -> None:
    """Registers the app, or takes it off; opens System Settings when approval is missing."""
    service = SMAppService.mainAppService()
    if wanted == is_enabled():
        return
    if wanted:
        done, problem = service.registerAndReturnError_(None)
    else:
        done, problem = service.unregisterAndReturnError_(None)
    if service.status() == SMAppServiceStatusRequiresApproval:
        SMAppService.openSystemSettingsLoginItems()
        return
    if not done:
        words = str(problem.localizedDescription()) if problem is not None else "refused"
        fix = "Try it under System Settings › General › Login Items."
        raise DesktopError(what="Starting at login", problem=words, fix=fix)
