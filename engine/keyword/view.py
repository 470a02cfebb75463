"""Which unit belongs to which document? Passages and document fields of one moment, joined.

A document without passages (a title is all it has) still must be found: it gets a phantom unit
behind the passages, with chunk number 0.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.keyword.layer import Layer, Mask, Places
from engine.keyword.segment import Integers


@dataclass(frozen=True, slots=True)
class View:
    """What the index holds at one moment."""

    passages: Layer
    documents: Layer
    document_ids: Integers  # ascending
    unit_chunks: Integers  # passages in their order, then phantoms (0)
    unit_documents: Places  # of each: place in document_ids
    field_documents: Places  # of each unit of `documents`: place in document_ids
    first_units: Places  # of each document: the unit that stands for it

    def document_mask(self, ids: npt.NDArray[np.int64]) -> Mask:
        """Which of this view's documents are among `ids`."""
        mask = np.zeros(len(self.document_ids), bool)
        mask[places_of(self.document_ids, ids)] = True
        return mask

    def living_documents(self) -> Mask:
        """Which documents are still there."""
        mask = np.zeros(len(self.document_ids), bool)
        alive = self.documents.alive
        mask[self.field_documents if alive is None else self.field_documents[alive]] = True
        return mask


def compose_view(passages: Layer, documents: Layer) -> View:
    """Join the two layers by document."""
    ids = np.unique(np.concatenate([documents.documents, passages.documents]))
    passage_documents = ids.searchsorted(passages.documents).astype(np.intp)
    first = np.full(len(ids), -1, np.intp)
    order = np.arange(len(passage_documents), dtype=np.intp)
    if passages.alive is not None:
        order = order[passages.alive]
    # Assigning backwards: the lowest number is written last and stays.
    first[passage_documents[order[::-1]]] = order[::-1]
    bare = np.flatnonzero(first < 0)
    first[bare] = len(passage_documents) + np.arange(len(bare))
    return View(
        passages,
        documents,
        ids,
        np.concatenate([passages.ids, np.zeros(len(bare), np.int64)]),
        np.concatenate([passage_documents, bare]),
        ids.searchsorted(documents.documents).astype(np.intp),
        first,
    )


def places_of(ids: Integers, wanted: Integers) -> Places:
    """Where `wanted` stand in the ascending `ids`; those that are not there are left out."""
    if not len(ids) or not len(wanted):
        return np.zeros(0, np.intp)
    places = np.minimum(ids.searchsorted(wanted), len(ids) - 1)
    found: Places = places[ids[places] == wanted]
    return found
