"""Learning from a Pydantic model or a JSON Schema."""

import pytest

import windrow

pydantic = pytest.importorskip("pydantic")


class Ad(pydantic.BaseModel):
    title: str = pydantic.Field(examples=["Baler twine, 12 rolls"])
    price: str | None = pydantic.Field(default=None, examples=["€ 55"])


class Tool(pydantic.BaseModel):
    brand: str
    model: str
    weight: str


def test_examples_of_a_model_are_shown(ads) -> None:
    rows = windrow.learn(ads, schema=Ad).extract(ads).to_dicts()
    assert [row["title"] for row in rows][1:] == ["Baler twine, 12 rolls", "Old hay wagon"]
    assert rows[0]["price"] == {"amount": 340, "currency": "EUR"}


def test_names_of_properties_are_words_to_look_for() -> None:
    def page(brand: str, model: str, weight: str) -> windrow.Page:
        return windrow.Page(f"<h1>A tool</h1><dl><dt>Brand<dd>{brand}<dt>Model<dd>{model}<dt>Weight<dd>{weight}</dl>")

    pages = [page("Meadow", "MR-12", "1.4 kg"), page("Hayward", "HW-9", "2.1 kg")]
    wrapper = windrow.learn(pages, schema=Tool.model_json_schema())
    [row] = wrapper.extract(page("Barnes", "B-1", "3 kg")).to_dicts()
    assert (row["brand"], row["model"]) == ("Barnes", "B-1")


def test_a_schema_of_no_record_is_an_error(ads) -> None:
    with pytest.raises(windrow.LearnError, match="properties"):
        windrow.learn(ads, schema={"type": "string"})
    with pytest.raises(ValueError, match="one of them"):
        windrow.learn(ads, schema=Ad, title="Baler twine, 12 rolls")
