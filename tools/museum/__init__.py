"""The museum: releases of real libraries, judged by `ville`. `make museum` writes its page.

It is a tool, as `tools/adult_data` is: it makes a page of evidence, and no chapter needs it.
"""
