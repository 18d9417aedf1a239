-- Everything that the analyses share: the views over an organization's derived files, and every formula, once.
-- In a DuckDB shell, 1.5.0 or newer, from the project's folder (`data_dir` is the folder `data` unless it is set first):
--
--     set variable organization_id = '…';
--     .read sql/setup.sql
--     set variable p = {'start_date': date '2025-02-01', 'end_date': date '2025-02-28'};
--     .read sql/profitability/cards.sql
--
-- Clients without `.read` replace each of these lines by the text of its file: docs/analysts.md has that in Python and
-- JavaScript. The service reads the same files.

.read sql/setup/session.sql
.read sql/setup/views.sql
.read sql/setup/rounding.sql
.read sql/setup/text.sql
.read sql/setup/request.sql
.read sql/setup/formulas.sql
.read sql/setup/labels.sql
.read sql/setup/periods.sql
.read sql/setup/coverage.sql
.read sql/setup/day_sums.sql
.read sql/setup/payback_sums.sql
.read sql/setup/filters.sql
.read sql/setup/paybacks.sql
.read sql/setup/attribute_values.sql
.read sql/setup/attributes.sql
.read sql/setup/named_values.sql
.read sql/setup/breakdowns.sql
.read sql/setup/cohorts.sql
.read sql/setup/payback_curves.sql
.read sql/setup/day_figures.sql
.read sql/setup/orders.sql
.read sql/setup/carried.sql
.read sql/setup/order_figures.sql
.read sql/setup/acquisition_figures.sql
.read sql/setup/profit_amounts.sql
.read sql/setup/contributions.sql
.read sql/setup/profit.sql
.read sql/setup/period_breakdowns.sql
.read sql/setup/bridge.sql
.read sql/setup/restatements.sql
.read sql/setup/products.sql
.read sql/setup/attributed_products.sql
.read sql/setup/product_totals.sql
.read sql/setup/product_figures.sql
.read sql/setup/selected_products.sql
.read sql/setup/product_detail.sql
.read sql/setup/alerts.sql
