"""The feedback pages that students get back."""
