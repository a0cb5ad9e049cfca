//! Handlers of the calls that are not in `server`: rules as texts and files, feeds and domains, exports, stores,
//! repair.

use std::sync::Arc;

use axum::Json;
use axum::extract::State as Given;
use axum::response::IntoResponse;
use axum::response::Response;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::{self, Failure};
use crate::blocking::call;
use crate::failure::Refused;
use crate::server::{Answer, Body};
use crate::state::State;
use crate::{alternatives, convert, domain, export, feed, many, repair, save, store};

/// Returns the routes of these calls with their descriptions.
pub(crate) fn calls() -> OpenApiRouter<Arc<State>> {
    OpenApiRouter::new()
        .routes(routes!(learn_feed))
        .routes(routes!(learn_domain))
        .routes(routes!(convert_rules))
        .routes(routes!(edit_rules))
        .routes(routes!(find_alternatives))
        .routes(routes!(save_rules))
        .routes(routes!(save_case))
        .routes(routes!(export_records))
        .routes(routes!(run_many))
        .routes(routes!(look_into))
        .routes(routes!(repair_rules))
}

/// Learns a weblog's rules from its feed.
#[utoipa::path(post, path = "/api/v1/learn/feed", request_body = api::FeedRequest,
    responses((status = 200, body = api::Learned), (status = "4XX", body = Failure)))]
async fn learn_feed(Given(state): Given<Arc<State>>, Body(request): Body<api::FeedRequest>) -> Answer<api::Learned> {
    call(move || feed::learn(&state, &request).map(Json)).await
}

/// Reads a page by a domain's words, and learns rules from that.
#[utoipa::path(post, path = "/api/v1/learn/domain", request_body = api::DomainRequest,
    responses((status = 200, body = api::Learned), (status = "4XX", body = Failure)))]
async fn learn_domain(
    Given(state): Given<Arc<State>>,
    Body(request): Body<api::DomainRequest>,
) -> Answer<api::Learned> {
    call(move || domain::learn(&state, &request).map(Json)).await
}

/// Converts rules to another format, or lays them out.
#[utoipa::path(post, path = "/api/v1/rules/convert", request_body = api::ConvertRequest,
    responses((status = 200, body = api::RuleText), (status = "4XX", body = Failure)))]
async fn convert_rules(
    Given(state): Given<Arc<State>>,
    Body(request): Body<api::ConvertRequest>,
) -> Answer<api::RuleText> {
    call(move || convert::convert(&state, request).map(Json)).await
}

/// Changes one rule.
#[utoipa::path(post, path = "/api/v1/rules/edit", request_body = api::EditRequest,
    responses((status = 200, body = api::RuleText), (status = "4XX", body = Failure)))]
async fn edit_rules(Body(request): Body<api::EditRequest>) -> Answer<api::RuleText> {
    call(move || convert::edit(request).map(Json)).await
}

/// Returns alternative locators for a rule.
#[utoipa::path(post, path = "/api/v1/rules/alternatives", request_body = api::AlternativesRequest,
    responses((status = 200, body = api::Alternatives), (status = "4XX", body = Failure)))]
async fn find_alternatives(
    Given(state): Given<Arc<State>>,
    Body(request): Body<api::AlternativesRequest>,
) -> Answer<api::Alternatives> {
    call(move || alternatives::find(&state, request).map(Json)).await
}

/// Saves a wrapper below the folder that the studio was started in.
#[utoipa::path(post, path = "/api/v1/rules/save", request_body = api::SaveRequest,
    responses((status = 200, body = api::Saved), (status = "4XX", body = Failure)))]
async fn save_rules(Given(state): Given<Arc<State>>, Body(request): Body<api::SaveRequest>) -> Answer<api::Saved> {
    call(move || save::save(&state, request).map(Json)).await
}

/// Saves a page with the expected results of the rules, for `windrow test`.
#[utoipa::path(post, path = "/api/v1/rules/case", request_body = api::CaseRequest,
    responses((status = 200, body = api::Saved), (status = "4XX", body = Failure)))]
async fn save_case(Given(state): Given<Arc<State>>, Body(request): Body<api::CaseRequest>) -> Answer<api::Saved> {
    call(move || save::case(&state, request).map(Json)).await
}

/// Writes the records of a list as a file.
#[utoipa::path(post, path = "/api/v1/export", request_body = api::ExportRequest,
    responses(
        (status = 200, body = api::Exported, content_type = "application/octet-stream", description = "the file; its media type is the format's"),
        (status = "4XX", body = Failure)
    ))]
async fn export_records(
    Given(state): Given<Arc<State>>,
    Body(request): Body<api::ExportRequest>,
) -> Result<Response, Refused> {
    call(move || export::export(&state, request).map(IntoResponse::into_response)).await
}

/// Runs rules on many pages.
#[utoipa::path(post, path = "/api/v1/many", request_body = api::ManyRequest,
    responses((status = 200, body = Vec<api::ManyRow>), (status = "4XX", body = Failure)))]
async fn run_many(Given(state): Given<Arc<State>>, Body(request): Body<api::ManyRequest>) -> Answer<Vec<api::ManyRow>> {
    call(move || many::run(&state, request).map(Json)).await
}

/// Returns the contents of a store, and the wrappers that are broken.
#[utoipa::path(post, path = "/api/v1/store", request_body = api::StoreRequest,
    responses((status = 200, body = api::Stored), (status = "4XX", body = Failure)))]
async fn look_into(Body(request): Body<api::StoreRequest>) -> Answer<api::Stored> {
    call(move || store::look(&request).map(Json)).await
}

/// Repairs a wrapper, or says why not.
#[utoipa::path(post, path = "/api/v1/repair", request_body = api::RepairRequest,
    responses((status = 200, body = api::Repaired), (status = "4XX", body = Failure)))]
async fn repair_rules(
    Given(state): Given<Arc<State>>,
    Body(request): Body<api::RepairRequest>,
) -> Answer<api::Repaired> {
    call(move || repair::mend(&state, request).map(Json)).await
}
