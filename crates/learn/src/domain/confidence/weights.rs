//! Written by `tools/fit-confidence`; do not edit.

/// The weights of [`FEATURES`](super::FEATURES), in their order; fitted to 4233 values of 152 sites.
pub(super) const WEIGHTS: [f32; 40] = [
    -0.7197, 0.6988, 0.2580, -0.0629, 0.8052, 0.1767, 0.0504, -0.7987, 0.2339, 0.8477, 0.2355, -0.2941, -0.7066,
    0.0000, 0.0691, -0.4476, -0.7677, 1.2345, 0.8335, 0.0307, 0.3252, 0.4967, 0.4724, 0.0947, -0.7645, -0.1404,
    -0.7303, -0.4871, 0.4390, -0.1720, -1.1850, -0.5532, 0.8850, 1.2051, -0.9872, -0.1932, -0.7594, 0.5573, 1.0000,
    -1.0000,
];
/// The log odds of a value without any feature.
pub(super) const BIAS: f32 = 3.1479;
/// The default threshold: the highest F1 on sites that the weights were not fitted to.
pub const LEAST: f32 = 0.50;
