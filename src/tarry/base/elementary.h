// exp, log and their like with the same bits on every CPU: the C library's choose their code by instruction set.
//
// Only + − × ÷ and √ of doubles, in one order. Within 0.52 of a unit in the last place, in the default rounding mode
// (hypot: within one where the result is subnormal); special values as C's Annex F has them. Nothing else in the
// library calls the C library's (tests/layers).
#pragma once

namespace tarry {

double exp(double x);
double exp2(double x);
double log(double x);
double log1p(double x);
double log2(double x);
double pow(double x, double y);

double cbrt(double x);
double hypot(double x, double y);

// sin 2πt and cos 2πt: of whole turns, so that no multiple of π has to be taken away.
double sin_turns(double t);
double cos_turns(double t);

}  // namespace tarry
