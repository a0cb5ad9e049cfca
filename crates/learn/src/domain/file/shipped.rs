//! The domains that come along, as files.

/// Name and text of each, in the order of their names.
const SHIPPED: &[(&str, &str)] = &[
    ("book", include_str!("../../../domains/book.toml")),
    ("camera", include_str!("../../../domains/camera.toml")),
    ("car", include_str!("../../../domains/car.toml")),
    ("cosmetics", include_str!("../../../domains/cosmetics.toml")),
    ("drugs", include_str!("../../../domains/drugs.toml")),
    ("health-food", include_str!("../../../domains/health-food.toml")),
    ("job", include_str!("../../../domains/job.toml")),
    ("movie", include_str!("../../../domains/movie.toml")),
    ("person", include_str!("../../../domains/person.toml")),
    ("player", include_str!("../../../domains/player.toml")),
    ("product", include_str!("../../../domains/product.toml")),
    ("recipe", include_str!("../../../domains/recipe.toml")),
    ("restaurant", include_str!("../../../domains/restaurant.toml")),
    ("university", include_str!("../../../domains/university.toml")),
];

/// The domains that come along: the name of each, and its file.
pub fn shipped() -> &'static [(&'static str, &'static str)] {
    SHIPPED
}

/// The file of this name.
pub(super) fn text(name: &str) -> Option<&'static str> {
    SHIPPED.iter().find(|(known, _)| *known == name).map(|&(_, text)| text)
}
